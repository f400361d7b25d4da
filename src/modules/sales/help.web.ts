import type { Article } from '#web/shell/manifest/article.ts'
import { MANAGE_SALES, MARKET, SEE_ALL, SELL } from './rights.ts'

export default [
  {
    slug: 'sales-and-commission',
    title: 'Sales, and your commission',
    summary: 'What is counted as a sale, and what you get of it',
    allow: SELL,
    text: `## What is counted
A sale is counted when a customer accepts your quote, when you sell insurance, or when you enter it: Figures, Sales report, “New sale”. It counts on its day in London, at what is paid first, without VAT.

## Your commission
Figures, My commission shows what is to be paid, what was paid, and what was clawed back, with a line for each sale. A line says the rate and what it was worked out of. A sale that changes or is retired brings another line; no line is ever changed. When its month is locked already, what is taken back stands in the month that is on.

## Numbers
Figures, Statistics shows calls and sales by person, day, week and month. Choose a number to see what it counts; “How these numbers come about” says how it is worked out; “CSV file” gives the same as a file.

## What you have promised
Sales, Reminders shows whom you are to ring again, and which of your quotes end; “My team’s” shows that of everybody who reports to you.

## Sales to renew
Sales, Sales to renew shows what was sold by the year and ends within ninety days. Another sale to the same lead renews it by itself. Where the customer does not renew, open the sale and choose “Not renewed…”.

## Bingo
Figures, Bingo is a card for each person and day. Its squares fill with the outcomes of your calls and your sales; there is nothing to press.`,
  },
  {
    slug: 'figures-of-the-floor',
    title: 'The day live, and analysis',
    summary: 'What everybody is doing, and where sales come from',
    allow: SEE_ALL,
    text: `## Today
Figures, Today, live shows calls and sales of everybody as they happen. While the connection is away it says “Not live: connecting”, and what you see is as it was.

## Analysis
Figures, Analysis has eight tables beside each other: sales by kind and by source, what came in by source and what the source has cost, what is promised for the weeks ahead, enquiries by the web, a period against the one before, and what becomes of renewals. Each number opens the list of what it counts. “How these numbers come about” gives every formula.`,
  },
  {
    slug: 'daily-e-mail',
    title: 'The daily e-mail',
    summary: 'Writing it, looking at it, and what becomes of it',
    allow: MARKET,
    text: `## Writing one
Mail, Daily e-mail, “New daily e-mail”: its subject, its words, and the day on which it goes out, at nine in the morning. There is one each day. It goes to leads that have consented and have said no to nothing; a business type, or where leads came from, narrows that.

## Looking at it
Open it: it says to how many it would go now, and reads as the first of them would get it. “Send it on its day” plans it; until then it can be made a draft again, or cancelled.

## What became of it
Once it is sent, it leads to its letters. Of a day that is over nothing is sent, and the list says “Not sent” with the reason.`,
  },
  {
    slug: 'mailing-lists',
    title: 'Mailing lists, and who may be on them',
    summary: 'Consent, and handing a list of addresses on',
    allow: MARKET,
    text: `## Consent
Mail, Mailing lists, “Consents”. A consent says whose address it is, when and how they gave it, and where that can be read. Whoever wants no more news is withdrawn with the reason; the consent stays as evidence.

## A list
Choose which leads, look at how many may be written to, and choose “New list”. On it are those who have consented and have said no to nothing, each address once. Its file is made anew each time it is fetched: who has said no meanwhile is left out.`,
  },
  {
    slug: 'commission-month',
    title: 'A month of commission, from check to lock',
    summary: 'Checking sales, rates, adjustments, and locking a month',
    allow: MANAGE_SALES,
    text: `## Check the sales
Figures, Sales to check lists what nobody has looked at. Open a sale and choose “Check sale”. Nobody checks their own. A sale that changes afterwards is to be checked again.

## Set the rates
Figures, Commission, “Rates”. A rate is for all sales, or for a seller, a product, or a way that sales come; the one that says most about a sale holds, from its first day on. What was worked out stays: “Work out again” brings an open month to the rates as they are now.

## Approve and lock
When a month is over and all its sales are checked, choose “Approve”, then “Lock”. A locked month is paid, and nothing of it changes. A sale of it that is retired later is clawed back in the month that is on.

## Put something right
“Adjustments”, “New adjustment”: an amount, below zero to take it back, and the reason. It stands in the month that is on. Nobody adjusts their own.`,
  },
] satisfies Article[]
