/**
 * The styles of the cards. A page changes them with the variables, and its rules win, because these selectors
 * have no weight. The page's `color-scheme` chooses light or dark. Logical properties make the cards right in languages
 * that are written from right to left.
 */
export const cardStyles = `
:where(.bw-card,.bw-open){
--bw-text:var(--bailiwick-text,light-dark(#17212b,#e8edf2));
--bw-soft:var(--bailiwick-soft,light-dark(#51606f,#a5b3c0));
--bw-surface:var(--bailiwick-surface,light-dark(#fff,#182029));
--bw-inset:var(--bailiwick-inset,light-dark(#f3f6f9,#212c37));
--bw-border:var(--bailiwick-border,light-dark(#d3dce4,#354452));
--bw-accent:var(--bailiwick-accent,light-dark(#1457c4,#8ab4ff));
--bw-on-accent:var(--bailiwick-on-accent,light-dark(#fff,#0b1a33));
--bw-unusual:var(--bailiwick-unusual,light-dark(#8a5300,#ffc46b));
--bw-suspicious:var(--bailiwick-suspicious,light-dark(#b3261e,#ff9a91));
--bw-radius:var(--bailiwick-radius,12px)}
:where(.bw-card){box-sizing:border-box;color:var(--bw-text);background:var(--bw-surface);border:1px solid var(--bw-border);border-inline-start:4px solid var(--bw-accent);border-radius:var(--bw-radius);padding:16px;margin-block:12px;font:inherit;line-height:1.5;max-inline-size:44rem;overflow-wrap:anywhere;container-type:inline-size}
:where(.bw-card.bw-unusual){border-inline-start-color:var(--bw-unusual)}
:where(.bw-card.bw-suspicious){border-color:var(--bw-suspicious)}
:where(.bw-card *){box-sizing:border-box}
:where(.bw-head){display:flex;flex-wrap:wrap;gap:4px 10px;align-items:baseline;margin:0 0 4px;font-size:.875em;color:var(--bw-soft)}
:where(.bw-level){font-weight:700;color:var(--bw-accent)}
:where(.bw-unusual .bw-level){color:var(--bw-unusual)}
:where(.bw-suspicious .bw-level){color:var(--bw-suspicious)}
:where(.bw-title){margin:0 0 8px;font-size:1.125em;line-height:1.35;font-weight:650;text-wrap:balance}
:where(.bw-why){margin:0 0 8px;padding:0;list-style:none}
:where(.bw-why li){margin-block-end:4px}
:where(.bw-request){margin:0 0 12px;color:var(--bw-soft)}
:where(.bw-values){margin:0 0 12px;display:grid;gap:8px}
:where(.bw-value){background:var(--bw-inset);border-radius:8px;padding:8px 12px;display:grid;grid-template-columns:minmax(6rem,11rem) 1fr;gap:2px 12px}
:where(.bw-value dt){color:var(--bw-soft)}
:where(.bw-value dd){margin:0;min-inline-size:0}
:where(.bw-shown){font-weight:600;white-space:pre-wrap}
:where(.bw-source){display:block;font-size:.875em;color:var(--bw-soft)}
:where(.bw-doubtful .bw-source){color:var(--bw-unusual)}
:where(.bw-suspicious .bw-doubtful .bw-source){color:var(--bw-suspicious)}
:where(.bw-quote){margin:4px 0 0;padding-inline-start:10px;border-inline-start:2px solid currentColor;font-size:.875em;color:var(--bw-text)}
:where(.bw-quote mark){background:light-dark(#ffe49c,#6b4e00);color:inherit;border-radius:3px;padding-inline:2px}
:where(.bw-card details){margin:0 0 12px;font-size:.875em;color:var(--bw-soft)}
:where(.bw-card summary){cursor:pointer}
:where(.bw-card pre){margin:4px 0 0;padding:8px 12px;background:var(--bw-inset);border-radius:8px;overflow:auto;max-block-size:16rem;white-space:pre-wrap;color:var(--bw-text)}
:where(.bw-actions){display:flex;flex-wrap:wrap;gap:8px;align-items:center}
:where(.bw-button){font:inherit;font-weight:600;min-block-size:44px;padding:8px 16px;border-radius:8px;border:1px solid var(--bw-border);background:transparent;color:var(--bw-text);cursor:pointer}
:where(.bw-button:hover){background:var(--bw-inset)}
:where(.bw-button:disabled){opacity:.55;cursor:default}
:where(.bw-button.bw-primary){background:var(--bw-accent);border-color:var(--bw-accent);color:var(--bw-on-accent)}
:where(.bw-button.bw-danger){border-color:var(--bw-suspicious);color:var(--bw-suspicious)}
:where(.bw-button.bw-quiet){border-color:transparent;color:var(--bw-accent);padding-inline:8px}
:where(.bw-card :focus-visible){outline:3px solid var(--bw-accent);outline-offset:2px}
:where(.bw-form){display:grid;gap:12px;margin:0}
:where(.bw-field){display:grid;gap:4px;font-size:.9375em}
:where(.bw-field input:not([type=checkbox]),.bw-field textarea,.bw-field select){font:inherit;min-block-size:44px;padding:8px 10px;border:1px solid var(--bw-border);border-radius:8px;background:var(--bw-surface);color:var(--bw-text);inline-size:100%}
:where(.bw-actions + .bw-field){margin-block-start:12px;grid-template-columns:auto minmax(0,1fr);align-items:center;gap:4px 10px;color:var(--bw-soft)}
:where(.bw-check){display:flex;gap:10px;align-items:flex-start;margin-block:8px}
:where(.bw-check input){inline-size:20px;block-size:20px;margin:2px 0 0;flex:none;accent-color:var(--bw-suspicious)}
:where(.bw-error){margin:8px 0 0;color:var(--bw-suspicious)}
:where(.bw-notice){margin-block:12px;padding:10px 14px;border-radius:8px;background:var(--bw-inset);color:var(--bw-text)}
@container (max-width:420px){:where(.bw-value,.bw-actions + .bw-field){grid-template-columns:1fr}:where(.bw-actions .bw-button:not(.bw-quiet)){flex:1 1 100%}}
`;
