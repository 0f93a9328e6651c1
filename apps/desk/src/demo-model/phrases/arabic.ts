import type { Phrases } from "./phrases.ts";

export const arabic: Phrases = {
  greeting: "مرحباً {name}،",
  sorry: "نعتذر عمّا حدث.",
  placed: "طلبكم {order} ({items}) مسجّل لدينا ولم يُجهَّز بعد.",
  shipped: "غادر طلبكم {order} ({items}) مستودعنا في {day} مع {carrier}. رقم التتبع هو {tracking}.",
  delivered: "سُلّم طلبكم {order} ({items}) في {day} عبر {carrier}، ورقم التتبع {tracking}.",
  cancelled: "طلبكم {order} ({items}) ملغى.",
  refundDone: "أعدنا مبلغ {amount} عن الطلب {order}. سيصل إلى الحساب الذي دفعتم منه خلال ثلاثة إلى خمسة أيام عمل.",
  refundRefused: "لا يمكننا إعادة مبلغ الطلب {order} كما هو مطلوب. يراجع أحد زملائنا الأمر وسيكتب إليكم.",
  refundTooMuch: "بلغت قيمة الطلب {order} كاملاً {total}، ولا يمكننا إعادة أكثر من ذلك. إن رغبتم في هذا المبلغ فأخبرونا.",
  refundedBefore: "سبق أن أعدنا {amount} عن الطلب {order}. إن لم يصل المبلغ فنرجو سؤال البنك أولاً.",
  notYours: "سُجّل الطلب {order} بعنوان بريد آخر. نرجو مراسلتنا من ذلك العنوان لنتمكن من المساعدة.",
  unknownOrder: "لا نجد طلباً بالرقم {order}.",
  foundInstead: "هل تقصدون طلبكم {order}؟",
  askNumber: "هل يمكنكم إرسال رقم الطلب؟ يبدأ بالحرفين FH وتجدونه في رسالة التأكيد.",
  product: "{product}: {description} السعر {price}، والمتوفر {stock}.",
  missing: "نسأل شركة التوصيل عن الطرد، وسيكتب إليكم أحد زملائنا قبل الغد.",
  colleague: "سيتابع أحد زملائنا الأمر شخصياً ويكتب إليكم.",
  signature: "مع أطيب التحيات\nخدمة عملاء Fernhollow",
};
