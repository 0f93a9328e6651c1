import type { Phrases } from "./phrases.ts";

export const japanese: Phrases = {
  greeting: "{name} 様",
  sorry: "このたびはご不便をおかけし、誠に申し訳ございません。",
  placed: "ご注文 {order}({items})は承っておりますが、まだ梱包前です。",
  shipped: "ご注文 {order}({items})は{day}に{carrier}で発送いたしました。追跡番号は {tracking} です。",
  delivered: "ご注文 {order}({items})は{day}に{carrier}より配達済みです。追跡番号は {tracking} です。",
  cancelled: "ご注文 {order}({items})はキャンセル済みです。",
  refundDone: "ご注文 {order} について {amount} を返金いたしました。お支払いに使われた口座へ、三〜五営業日で届きます。",
  refundRefused: "ご注文 {order} の返金は、このままではお受けできません。担当者が確認のうえ、改めてご連絡いたします。",
  refundTooMuch:
    "ご注文 {order} の合計は {total} のため、それを超える返金はできません。この金額をご希望の場合はお知らせください。",
  refundedBefore:
    "ご注文 {order} については、すでに {amount} を返金しております。届いていない場合は、まず銀行にお問い合わせください。",
  notYours: "ご注文 {order} は別のメールアドレスで承っております。そのアドレスからご連絡ください。",
  unknownOrder: "注文番号 {order} のご注文が見つかりません。",
  foundInstead: "ご注文 {order} のことでしょうか。",
  askNumber: "注文番号をお知らせいただけますか。FHで始まり、確認メールに記載されています。",
  product: "{product}:{description} 価格は {price}、在庫は {stock} 点です。",
  missing: "運送会社に確認し、明日までに担当者よりご連絡いたします。",
  colleague: "担当者が確認のうえ、改めてご連絡いたします。",
  signature: "Fernhollow カスタマーサービス",
};
