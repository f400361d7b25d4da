import type { HelpArticleSource } from '#web/shell/manifest/article.ts'
import { MAILING_LIST_ROLES, SALES_MANAGER_ROLE, SEE_ALL_SALES_ROLES, SELLER_ROLE } from './rights.ts'

export default [
  {
    slug: 'sales-and-commission',
    title: 'Sales and commission',
    summary: 'How sales are counted and commission is calculated',
    allow: SELLER_ROLE,
    text: `## How sales are counted
A sale is counted when a customer accepts your quote, when you sell insurance, or when you enter the sale: go to Figures > Sales report and choose “New sale”. A sale is counted on its date in London. Its amount is the first payment, excluding VAT.

## Your commission
Go to Figures > My commission to see what is due, paid and clawed back, with a line for each sale. A line shows the rate and the calculation. Changing or retiring a sale adds another line; existing lines never change. If the month is already locked, the clawback goes into the current month.

## Statistics
Go to Figures > Statistics to see calls and sales by person, day, week and month. Choose a number to list the calls or sales behind it. “How these figures are calculated” explains the formulas. “Download CSV” saves the figures as a file.

## Reminders
Go to Sales > Reminders to see your callbacks and expiring quotes. Choose “My team’s” to see the callbacks and quotes of everybody who reports to you.

## Renewals
Go to Finance > Subscriptions > Renewals due to see annual plans that end within 90 days. Another sale to the same lead renews the plan automatically. If the customer does not renew, open the sale and choose “Mark as not renewed…”.

## Bingo
Go to Figures > Bingo to see your card for the day. Each person has a card for each day, whose squares are filled automatically by that person’s call outcomes and sales.`,
  },
  {
    slug: 'figures-of-the-floor',
    title: 'Live figures and analysis',
    summary: 'Today’s activity, and where sales come from',
    allow: SEE_ALL_SALES_ROLES,
    text: `## Today
Go to Figures > Live figures to see everybody’s calls and sales as they happen. While there is no connection, the page shows “Not live: connecting”, and the figures may be out of date.

## Analysis
Go to Figures > Analysis for eight reports: sales by kind and by source, income and cost by source, the coming weeks, website enquiries, a comparison with the preceding period, and two renewal reports. Choose a number to list the records behind it. “How these figures are calculated” explains every formula.`,
  },
  {
    slug: 'daily-e-mail',
    title: 'The daily e-mail',
    summary: 'Writing, previewing and tracking the daily e-mail',
    allow: MAILING_LIST_ROLES,
    text: `## Write a daily e-mail
Go to E-mail > Daily e-mail and choose “New daily e-mail”. Enter the subject, the text and the day on which the e-mail will be sent, at 9 am. There can be one daily e-mail per topic each day. The e-mail goes to leads that have consented and not opted out. You can limit the e-mail to a business type or a lead source.

## Preview the e-mail
Open the e-mail to see how many leads would receive it now, and what the first of these leads would see. Choose “Schedule” to have the e-mail sent on its day. Until then you can choose “Return to draft” or “Cancel e-mail”.

## Track the e-mail
Once the daily e-mail has been sent, “View sent e-mails” lists the e-mail to each lead. If the daily e-mail could not be sent on its day, the list shows “Not sent” with the reason.`,
  },
  {
    slug: 'mailing-lists',
    title: 'Mailing lists and consent',
    summary: 'Recording consent, and exporting addresses',
    allow: MAILING_LIST_ROLES,
    text: `## Consent
Go to E-mail > Mailing lists and choose “Consents”. Each consent states the e-mail address, when and how the consent was given, its wording and where the evidence is. You can also record and withdraw it on the lead, under “Marketing e-mails”. If somebody opts out, withdraw their consent and enter the reason. The withdrawn consent is retained as evidence.

## Create a list
Go to E-mail > Mailing lists. Choose the leads, check how many you may e-mail, and choose “New list”. The list contains the leads that have consented and not opted out; each address appears only once. The file is regenerated for each download and leaves out anybody who has opted out since.`,
  },
  {
    slug: 'commission-month',
    title: 'Monthly commission, from check to lock',
    summary: 'Checking sales, setting rates, making adjustments and locking a month',
    allow: SALES_MANAGER_ROLE,
    text: `## Check sales
To list the unchecked sales, go to Figures > Sales to check. Open a sale and choose “Check sale”. You can’t check your own sales, or a sale that you entered or changed. If a sale changes later, it must be checked again.

## Set rates
Go to Figures > Commission and choose “Rates”. A rate applies to all sales, or to a seller, a product or a source of sales. The most specific rate applies, from its first day. Commission already calculated does not change until you choose “Recalculate”, which applies the current rates to an open month.

## Approve and lock
When a month is over and all its sales are checked, choose “Approve”, then “Lock”. A locked month is treated as paid and never changes. If one of its sales is retired later, the commission is clawed back in the current month.

## Make an adjustment
Go to Figures > Commission, choose “Adjustments”, then “New adjustment”. Enter an amount (negative for a deduction) and the reason. The adjustment is recorded in the current month. You can’t adjust your own commission.`,
  },
] satisfies HelpArticleSource[]
