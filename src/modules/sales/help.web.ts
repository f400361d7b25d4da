import type { HelpArticleSource } from '#web/shell/manifest/article.ts'
import { MAILING_LIST_ROLES, SALES_MANAGER_ROLE, SEE_ALL_SALES_ROLES, SELLER_ROLE } from './rights.ts'

export default [
  {
    slug: 'sales-and-commission',
    title: 'Sales and commission',
    summary: 'How sales are counted and commission is calculated',
    allow: SELLER_ROLE,
    text: `## How sales are counted
A sale is counted when a customer accepts your quote, when you sell insurance, or when you enter it: Figures, Sales report, “New sale”. It counts on its date in London, with the first payment, excluding VAT.

## Your commission
Figures, My commission shows what is due, paid and clawed back, with a line for each sale. A line shows the rate and the calculation. Changing or retiring a sale adds another line; existing lines never change. If the month is already locked, the clawback goes into the current month.

## Statistics
Figures, Statistics shows calls and sales by person, day, week and month. Choose a number to see what it counts; “How these figures are calculated” explains the formulas; “Download CSV” gives the same as a file.

## Reminders
Sales, Reminders lists your callbacks and expiring quotes; “My team’s” lists those of everybody who reports to you.

## Renewals
Sales, Renewals due lists yearly sales that end within 90 days. Another sale to the same lead renews it automatically. If the customer does not renew, open the sale and choose “Not renewed…”.

## Bingo
Figures, Bingo is a card for each person and day. Its squares are filled automatically by the outcomes of your calls and your sales.`,
  },
  {
    slug: 'figures-of-the-floor',
    title: 'Live figures and analysis',
    summary: 'Today’s activity, and where sales come from',
    allow: SEE_ALL_SALES_ROLES,
    text: `## Today
Figures, Today, live shows everybody’s calls and sales as they happen. While the connection is lost it says “Not live: connecting”, and the figures may be out of date.

## Analysis
Figures, Analysis has eight reports: sales by kind and by source, income and cost by source, the coming weeks, website enquiries, a period compared with the one before, and renewals. Choose a number to list what it counts. “How these figures are calculated” explains every formula.`,
  },
  {
    slug: 'daily-e-mail',
    title: 'The daily e-mail',
    summary: 'Writing, previewing and tracking it',
    allow: MAILING_LIST_ROLES,
    text: `## Write one
Mail, Daily e-mail, “New daily e-mail”: enter the subject, the text and the day on which it is sent, at 9 am. There is one each day. It goes to leads that have consented and not opted out; you can limit it to a business type or a lead source.

## Preview it
Open it to see how many leads it would go to now, and how the first of them would read it. “Schedule” plans it for its day; until then you can choose “Return to draft”, or cancel it.

## Track it
Once it has been sent, it links to its sent e-mails. If its day passes without sending, the list shows “Not sent” with the reason.`,
  },
  {
    slug: 'mailing-lists',
    title: 'Mailing lists and consent',
    summary: 'Recording consent, and exporting addresses',
    allow: MAILING_LIST_ROLES,
    text: `## Consent
Mail, Mailing lists, “Consents”. A consent records the address, when and how it was given, and the evidence. If somebody opts out, withdraw their consent with the reason; it is retained as evidence.

## Create a list
Choose the leads, check how many you may e-mail, and choose “New list”. It contains those who have consented and not opted out, each address once. The file is created anew at each download, without anybody who has opted out meanwhile.`,
  },
  {
    slug: 'commission-month',
    title: 'Monthly commission, from check to lock',
    summary: 'Checking sales, rates, adjustments, and locking a month',
    allow: SALES_MANAGER_ROLE,
    text: `## Check sales
Figures, Sales to check lists the unchecked sales. Open a sale and choose “Check sale”. You can’t check your own. If a sale changes later, it must be checked again.

## Set rates
Figures, Commission, “Rates”. A rate is for all sales, or for a seller, a product, or a kind of sale; the most specific one applies, from its first day on. Commission already calculated does not change: “Recalculate” applies the current rates to an open month.

## Approve and lock
When a month is over and all its sales are checked, choose “Approve”, then “Lock”. A locked month counts as paid and never changes. If one of its sales is retired later, the commission is clawed back in the current month.

## Make an adjustment
“Adjustments”, “New adjustment”: enter an amount, negative for a deduction, and the reason. It goes into the current month. You can’t adjust your own commission.`,
  },
] satisfies HelpArticleSource[]
