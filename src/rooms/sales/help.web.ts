import type { Article } from '#web/shell/faces/article.ts'
import { MANAGE_SALES, SELL } from './rights.ts'

export default [
  {
    slug: 'sales-and-commission',
    title: 'Sales, and your commission',
    summary: 'What is counted as a sale, and what you get of it',
    allow: SELL,
    text: `## What is counted
A sale is counted when a customer accepts your quote, when you sell insurance, or when you enter it: Sales, Sales report, “New sale”. It counts on its day in London, at what is paid first, without VAT.

## Your commission
Sales, My commission shows what is to be paid, what was paid, and what was clawed back, with a line for each sale. A line says the rate and what it was worked out of. A sale that changes or is retired brings another line; no line is ever changed. When its month is locked already, what is taken back stands in the month that is on.

## Numbers
Sales, Statistics shows calls and sales by person, day, week and month. Choose a number to see what it counts; “How these numbers come about” says how it is worked out; “CSV file” gives the same as a file.`,
  },
  {
    slug: 'commission-month',
    title: 'A month of commission, from check to lock',
    summary: 'Checking sales, rates, adjustments, and locking a month',
    allow: MANAGE_SALES,
    text: `## Check the sales
Sales, Sales to check lists what nobody has looked at. Open a sale and choose “Check sale”. Nobody checks their own. A sale that changes afterwards is to be checked again.

## Set the rates
Sales, Commission, “Rates”. A rate is for all sales, or for a seller, a product, or a way that sales come; the one that says most about a sale holds, from its first day on. What was worked out stays: “Work out again” brings an open month to the rates as they are now.

## Approve and lock
When a month is over and all its sales are checked, choose “Approve”, then “Lock”. A locked month is paid, and nothing of it changes. A sale of it that is retired later is clawed back in the month that is on.

## Put something right
“Adjustments”, “New adjustment”: an amount, below zero to take it back, and the reason. It stands in the month that is on. Nobody adjusts their own.`,
  },
] satisfies Article[]
