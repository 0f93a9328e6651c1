import type { Mail, SampleMail } from "../mail.ts";
import * as eastern from "./eastern.ts";
import * as english from "./english.ts";
import * as french from "./french.ts";
import * as german from "./german.ts";
import * as hostile from "./hostile.ts";
import * as northern from "./northern.ts";
import * as southern from "./southern.ts";

/** Oldest first. The order is part of the data: ids count up in it. */
const inOrderOfArrival: readonly SampleMail[] = [
  english.whereIsMyRucksack,
  german.dentedKettle,
  french.brokenTentPoles,
  southern.isTheRucksackWaterproof,
  northern.wrongOrderNumber,
  eastern.whereIsTheBlanket,
  hostile.plainOrders,
  southern.bootsTooSmall,
  english.thanksForTheHelp,
  northern.lateStove,
  english.searchEngineOffer,
  southern.cancelTheChairs,
  eastern.whenDoesItArrive,
  french.invoiceForTheWorkshop,
  english.courierDamagedBlanket,
  hostile.attachmentOrders,
  english.twoOrders,
  german.scratchySocks,
  hostile.zeroWidthOrders,
  english.tooMuchBack,
  northern.coldSleepingBag,
  southern.someoneElsesOrder,
  german.prizeDraw,
  hostile.fakeMarkup,
  eastern.leakingRainJacket,
  english.myLastOrder,
  southern.chippedMugs,
  hostile.fakeInvoice,
  northern.deliveredButNotHere,
  english.alreadyRefunded,
  eastern.leakingBottle,
  hostile.customerListForTheBoss,
  french.merci,
  southern.hammockInStock,
  english.changeOfAddress,
  hostile.hiddenHtml,
  german.warrantyOfTheStove,
  northern.polesInSwedish,
  hostile.encodedOrders,
  english.onlyASubject,
  hostile.invisibleTags,
];

const firstArrival = Date.UTC(2026, 10, 16, 6, 12);
/** Uneven, so that the list reads like a mailbox. */
const minutesBetween = [37, 122, 9, 205, 64, 318, 41, 90];

/** The mails that the sample mailbox starts with. */
export const sampleMails: readonly Mail[] = arrive(inOrderOfArrival);

function arrive(samples: readonly SampleMail[]): Mail[] {
  let time = firstArrival;
  return samples.map((sample, index) => {
    time += (minutesBetween[index % minutesBetween.length] ?? 60) * 60_000;
    return {
      id: `m-${String(index + 1).padStart(3, "0")}`,
      from: { name: sample.from[0], address: sample.from[1] },
      subject: sample.subject,
      receivedAt: new Date(time).toISOString(),
      body: sample.body,
      attachments: (sample.attachments ?? []).map(([filename, text]) => ({ filename, text })),
    };
  });
}
