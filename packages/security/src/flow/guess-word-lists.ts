/** Word lists of the guess, as data. Each form of a word that `plainForm` knows counts. */
function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/u));
}

/** Verbs of tools that only read. */
export const readingVerbs: ReadonlySet<string> = words(
  "get list search find fetch read query lookup look show view describe count browse retrieve inspect summarize " +
    "calculate compute compare explain translate analyze estimate validate preview scan detect recommend stat head " +
    "tail grep glob cat diff",
);

/** Writing verbs that are common nouns as well: inside a name or a sentence they decide nothing. */
export const ambiguousVerbs: ReadonlySet<string> = words(
  "order post message email mail share review comment call issue log report book schedule star fork print sign vote " +
    "rate note set place request transfer purchase charge deposit stop start import sync export archive commit push " +
    "pull tweet sms link turn change copy open store save patch lock block mark load check poll ask download play " +
    "pause pin trigger release mute follow complete",
);

/** Verbs of tools that change something. */
export const writingVerbs: ReadonlySet<string> = words(
  "send create add update delete remove set put post write edit insert append upload share invite pay transfer " +
    "schedule book reserve order buy purchase cancel reschedule move rename copy merge approve reject resolve close " +
    "open assign submit publish reply forward tweet comment subscribe unsubscribe grant revoke enable disable start " +
    "stop restart run execute exec deploy rollback trigger install uninstall reset change modify make place charge " +
    "refund withdraw deposit lock unlock archive restore push commit fork star mark mute block follow unfollow " +
    "register enroll issue save store replace complete finish accept decline turn adjust play pause dismiss request " +
    "sync link unlink attach detach pin unpin manage configure activate deactivate clear purge drop truncate kill " +
    "terminate apply patch connect disconnect sign log vote rate review report notify call dial message email mail " +
    "sms print import wipe destroy promote revert rotate ban sell redeem invoke upsert alter toggle migrate flush " +
    "launch rebuild evict erase load check poll ask convert download export",
);

/** Verbs of calls that reach other people. */
export const outwardVerbs: ReadonlySet<string> = words(
  "send post publish share invite pay transfer reply forward tweet comment email notify call order buy book reserve " +
    "charge refund withdraw submit deploy push grant subscribe review rate vote",
);

/** Words of arguments that name other people. */
export const outwardArguments: ReadonlySet<string> = words(
  "recipient to cc bcc email participant attendee user channel url payee iban account phone member guest target " +
    "group repository",
);

/** Verbs of calls about money, access or destruction. */
export const graveVerbs: ReadonlySet<string> = words(
  "pay transfer buy order purchase charge refund withdraw deposit share invite grant revoke delete remove cancel drop " +
    "purge truncate reset kill terminate uninstall deploy execute run wipe destroy erase clear ban promote deactivate " +
    "unlock checkout exchange",
);

/** Words of arguments about money and access. */
export const graveArguments: ReadonlySet<string> = words(
  "amount price iban payee password permission role scope access",
);

/** Words of arguments with which a check could do more than look. */
export const carriers: ReadonlySet<string> = words(
  "url uri link href host hostname domain server endpoint path file folder command cmd script code query sql program " +
    "expression formula module package",
);

/** Words of arguments that name a means of payment. */
export const paymentArguments: ReadonlySet<string> = words("payment card wallet billing");

/** Verbs of calls that are grave with a means of payment. */
export const bookingVerbs: ReadonlySet<string> = words("book reserve rent hire subscribe renew upgrade");

/** Last words of arguments that are content. */
export const payloadNames: ReadonlySet<string> = words(
  "body subject content text message description title note comment summary caption memo reason details headline " +
    "markdown html data payload answer reply location review feedback tag label instruction entry remark " +
    "resolution explanation justification greeting paragraph excerpt abstract bio agenda purpose rationale motivation " +
    "observation finding conclusion question suggestion advice wording annotation changelog intro preamble happened",
);

/** Kinds of content that a call sends if an argument has their id or path. */
export const contentNames: ReadonlySet<string> = words("file attachment message note document mail email");
