const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const name = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const hostname = new RegExp(`^(?=.{1,253}$)${name}(?:\\.${name})*$`, "i");

const byte = "(?:25[0-5]|2[0-4]\\d|[01]?\\d\\d?)";
const ipv4 = new RegExp(`^(?:${byte}\\.){3}${byte}$`);

/** Each unit in turn, without a gap between the first one and the last one. */
const inOrder = (first: string, second: string, third: string): string =>
  `(?:\\d+${first}(?:\\d+${second}(?:\\d+${third})?)?|\\d+${second}(?:\\d+${third})?|\\d+${third})`;
const clock = `T${inOrder("H", "M", "S")}`;
const duration = new RegExp(`^P(?:\\d+W|${inOrder("Y", "M", "D")}(?:${clock})?|${clock})$`);

const letter = "[\\w.~!$&'()*+,;=-]|%[0-9a-f]{2}";
const path = `(?:${letter}|[:@/])*`;
const authority = `//(?:(?:${letter}|:)*@)?(?:\\[[0-9a-fv:.]+\\]|(?:${letter})*)(?::\\d*)?(?=[/?#]|$)`;
const rest = `(?:${authority}|(?!//))${path}(?:\\?(?:${letter}|[:@/?])*)?(?:#(?:${letter}|[:@/?])*)?$`;

const variable = "(?:\\w|%[0-9a-f]{2})+(?:\\.(?:\\w|%[0-9a-f]{2})+)*(?::[1-9]\\d{0,3}|\\*)?";
const uriTemplate = new RegExp(
  `^(?:[^\\x00-\\x20\\x7f"<>%\\\\^\`{|}]|%[0-9a-f]{2}|\\{[+#./;?&=,!@|]?${variable}(?:,${variable})*\\})*$`,
  "i",
);

const pointer = "(?:/(?:[^~/]|~[01])*)*";

/** The formats of strings that are checked; `true` if a text has the format. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: isTime,
  "date-time"(text) {
    const [date = "", time = "", more] = text.split(/t|\s/i);
    return more === undefined && isDate(date) && isTime(time);
  },
  duration: matches(duration),
  uri: matches(new RegExp(`^[a-z][a-z0-9+.-]*:${rest}`, "i")),
  "uri-reference": matches(new RegExp(`^(?:[a-z][a-z0-9+.-]*:)?${rest}`, "i")),
  "uri-template": matches(uriTemplate),
  url: (text) => /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text),
  email: isEmail,
  hostname: matches(hostname),
  ipv4: matches(ipv4),
  ipv6: isIpv6,
  regex(text) {
    try {
      return !/[^\\]\\Z/.test(text) && new RegExp(text, "u") instanceof RegExp;
    } catch {
      return false;
    }
  },
  uuid: matches(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i),
  "json-pointer": matches(new RegExp(`^${pointer}$`)),
  "json-pointer-uri-fragment": matches(new RegExp(`^#(?:/(?:(?!~)(?:${letter})|[:@]|~[01])*)*$`, "i")),
  "relative-json-pointer": matches(new RegExp(`^(?:0|[1-9]\\d*)(?:#|${pointer})$`)),
};

function matches(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}

function isDate(text: string): boolean {
  const [, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (month === 2 && isLeap ? 29 : (days[month - 1] ?? 0));
}

/** A time of day with its offset. A leap second is only at the end of a day in UTC. */
function isTime(text: string): boolean {
  const match = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text);
  if (match === null) return false;
  const [hour = 0, minute = 0, second = 0, , hours = 0, minutes = 0] = match.slice(1).map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 60 || hours > 23 || minutes > 59) return false;
  const offset = (hours * 60 + minutes) * (match[4] === "-" ? -1 : 1);
  return second < 60 || (hour * 60 + minute - offset + 1) % 1440 === 0;
}

function isEmail(text: string): boolean {
  const [, local = "", host = ""] =
    /^("(?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"|[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*)@(.+)$/i.exec(
      text,
    ) ?? [];
  if (local === "" || local.length > 64) return false;
  const address = /^\[(ipv6:)?(.*)\]$/i.exec(host);
  if (address === null) return hostname.test(host);
  return address[1] === undefined ? ipv4.test(address[2] ?? "") : isIpv6(address[2] ?? "");
}

function isIpv6(text: string): boolean {
  return /^[0-9a-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`);
}
