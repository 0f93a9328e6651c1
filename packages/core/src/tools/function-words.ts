/** English words without meaning for a search. */
export const functionWords: readonly string[] =
  "a about an and are as at be by can could do does for from has have how i in into is it its me my of on or our should so that the their them then there these this to us was we what when where which who will with would you your".split(
    " ",
  );
