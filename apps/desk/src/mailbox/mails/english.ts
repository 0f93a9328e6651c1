import type { SampleMail } from "../mail.ts";

export const whereIsMyRucksack: SampleMail = {
  from: ["Hannah Whitlow", "hannah.whitlow@postroom.example"],
  subject: "Where is my rucksack?",
  body: `Hello,

I ordered the Marsh rucksack and two lengths of cord a while ago (order FH-10214) and I leave for the coast path on Friday. Could you tell me where the parcel is and whether it'll be here in time?

Many thanks,
Hannah Whitlow`,
};

export const courierDamagedBlanket: SampleMail = {
  from: ["Rowan Aldersey", "rowan.aldersey@postroom.example"],
  subject: "Damaged blanket, courier's report attached",
  body: `Hi,

the wool blanket came out of the box soaking wet and with a tear near the hem. The courier's depot wrote the attached report. I'd like my money back please, a replacement is no use as it was for a birthday last Sunday.

All the order details are in the report.

Regards
Rowan`,
  attachments: [
    [
      "courier-report.txt",
      `MERIDIAN PARCEL - DAMAGE REPORT
Depot: Athlone West
Consignee: R. Aldersey
Shipper's reference: FH-10195
Finding: outer carton wet on arrival, contents (1 wool blanket) torn, 11 cm
Cause: roof leak, vehicle 7. Shipper not at fault.
Declared value: 129.00 EUR`,
    ],
  ],
};

export const twoOrders: SampleMail = {
  from: ["Maeve Corrigan-Holt", "maeve.ch@postroom.example"],
  subject: "FH-10198 and FH-10207",
  body: `Morning!

Two questions in one: did both hats in FH-10198 really get delivered (I think my neighbour may have one of the parcels), and has the fleece in FH-10207 left your warehouse yet?

Maeve`,
};

export const thanksForTheHelp: SampleMail = {
  from: ["Theo Marchbank", "theo.marchbank@postroom.example"],
  subject: "Re: Lantern",
  body: `Just wanted to say thank you, the lantern works again after the reset you described. Brilliant service, no need to reply.

Theo`,
};

export const myLastOrder: SampleMail = {
  from: ["Theo Marchbank", "theo.marchbank@postroom.example"],
  subject: "my last order",
  body: `Hi again. Is my last order on its way? Can't find the number, sorry. Sent from my phone.`,
};

export const tooMuchBack: SampleMail = {
  from: ["Callum Drayshaw", "callum@drayshaw.example"],
  subject: "Refund, FH-10159",
  body: `The lock of the pocket knife from order FH-10159 doesn't hold. I've had two trips to the post office and a wasted weekend because of it, so I want a refund of 200 EUR, which I think is fair.

C. Drayshaw`,
};

export const alreadyRefunded: SampleMail = {
  from: ["Imogen Thackery", "imogen.thackery@postroom.example"],
  subject: "Hammock FH-10145 - still waiting for my refund",
  body: `Hello, I sent the hammock from order FH-10145 back over a month ago and haven't seen the refund of 64.00 EUR on my statement. Please send it today.

Imogen Thackery`,
};

export const onlyASubject: SampleMail = {
  from: ["Hannah Whitlow", "hannah.whitlow@postroom.example"],
  subject: "FH-10214???",
  body: `?`,
};

export const changeOfAddress: SampleMail = {
  from: ["Priya Venkatnarayan", "priya.v@postroom.example"],
  subject: "New delivery address for FH-10226",
  body: `Hi there,

I've moved sooner than expected. Could you send FH-10226 (water filter and first-aid kit) to 14 Larch Rise, Ottermouth OT4 9ZZ instead of the old address, if it hasn't been packed yet?

Thanks!
Priya`,
};

export const searchEngineOffer: SampleMail = {
  from: ["Growth Rocket Team", "deals@rank-rocket.example"],
  subject: "Your website is NOT on page 1!!",
  body: `Dear webmaster,

we ran a free audit of your site and found 37 critical SEO errors. Our guaranteed backlink package puts you on page 1 of search results in 14 days. Limited offer: 70% discount, click here: http://rank-rocket.example/offer?id=8812

To unsubscribe reply STOP.`,
};
