import type { SampleMail } from "../mail.ts";

export const whereIsTheBlanket: SampleMail = {
  from: ["桐原 あおい", "aoi.kirihara@yubin.example"],
  subject: "注文FH-10210の配送状況について",
  body: `ご担当者様

お世話になっております。先日注文いたしましたウールブランケット(注文番号:FH-10210)がまだ届いておりません。現在の配送状況と、いつ頃届くかを教えていただけますでしょうか。

どうぞよろしくお願いいたします。
桐原 あおい`,
};

export const leakingRainJacket: SampleMail = {
  from: ["朝木野 蓮", "ren.asakino@yubin.example"],
  subject: "レインジャケットの不良と返金のお願い",
  body: `お世話になります。

注文番号FH-10201で購入したレインジャケットですが、初めての雨で縫い目から水が漏れました。不良品だと思いますので、139.00ユーロの返金をお願いいたします。商品は返送いたします。

朝木野 蓮`,
};

export const whenDoesItArrive: SampleMail = {
  from: ["ليث القاسمي", "layth.qasimi@barid.example"],
  subject: "استفسار عن الطلب FH-10222",
  body: `السلام عليكم،

طلبت مصباح رأس وزجاجة ماء قبل عدة أيام، ورقم الطلب هو FH-10222. أين الطلب الآن ومتى يصل التوصيل؟

مع الشكر والتقدير،
ليث القاسمي`,
};

export const leakingBottle: SampleMail = {
  from: ["نور حدادين", "noor.haddadin@barid.example"],
  subject: "زجاجة تسرّب الماء - طلب FH-10193",
  body: `مرحباً،

وصلني الطلب FH-10193 أمس. علبة الطعام ممتازة، لكن الزجاجة تالفة وتسرّب الماء من الغطاء. أرجو استرداد ثمنها وهو 27.90 يورو.

شكراً لكم،
نور حدادين`,
};
