import type { Article } from '#web/shell/manifest/article.ts'
import { PAYS } from './received-invoices/bill.ts'
import { INVOICING, STAFF } from './rights.ts'

export default [
  {
    slug: 'own-invoicing',
    title: 'Invoicing your own customers',
    summary: 'Quotes, invoices, payments and stock of your own company',
    allow: INVOICING,
    text: `## Before the first invoice
Under Invoicing, Invoice settings, enter what stands before your numbers and the first of them, where customers pay to, and your usual VAT. Once an invoice is issued, its numbers go on as they began. Your address, VAT number and logo are your company’s: its administrator changes them under Settings, Letterhead. Without a VAT number, no VAT is charged.

## What you sell
Items are under Inventory, plans that are paid again and again under Catalogue. Choose “Stock is kept” for an item to count it: then note what was received, came back, was lost or used, each with a reason, or what you counted. Stock goes down when an invoice is issued, and up again when it is credited or made void. For more than there is you are warned; in the settings you can have such invoices refused.

## From a quote to the money
1. Choose “New quote”, then “Preview and send”. Your customer opens it by a link, and accepts and signs it, or declines.
2. Once accepted, it becomes an invoice, once, and goes to your customer as a PDF. If it lacks something, such as an address, it waits as a draft among your invoices.
3. Without a quote, begin with “New invoice”.
4. When the money has come, choose “Take a payment” on the invoice, and enter the day and the reference. Cards are not taken here.
“Statement”, on a customer’s page, shows what they were asked to pay, and have paid.

## Who may
Your company’s administrator gives the right “Invoicing” to people under Settings, Users. Those without it see nothing of your books, and neither does whoever runs this portal.

Discounts are sent as they are until you save “Settings” under Quotes. From then on one above your limits waits under Approvals until somebody else with the right “Invoicing” has approved it. Where you are alone, you are told so: raise the limit, or give somebody the right.`,
  },
  {
    slug: 'invoices-to-pay',
    title: 'Invoices to your company',
    summary: 'Reading and paying what you were invoiced for this portal',
    allow: PAYS,
    text: `Under Invoicing, Invoices to pay, stand the invoices to your company, the latest first. “PDF” opens one as it was sent. “Pay” leads to the page where it is paid, by card or by the bank. A card is kept for later invoices only where you tick that.`,
  },
  {
    slug: 'quotes',
    title: 'Quotes, and how they are accepted',
    summary: 'Building, sending, giving more time, and what the customer sees',
    allow: STAFF,
    text: `## Begin
From a lead: choose “Sell” (S). It leads through contact, customer, quote, card and sending. For a customer you already have: Sales, Quotes, “New quote”.

## Build it
1. Choose the customer and, if there is one, a coupon.
2. Type what they want in “Add a plan, an item or something of your own”. Enter adds it. Plans and items bring their price; for your own words you enter it.
3. Under Details set VAT, how long the quote is valid, and a word to the customer. The paper on the right shows what they will get.
4. Choose “Save draft”, or press Ctrl S. Only a draft can be changed.

## Send it
Choose “Preview and send”: you see the e-mail and the quote exactly as they arrive, with its first three invoices. “Send quote” sends them. A discount above the limit is sent once somebody who looks after money has approved it: say why, and choose “Ask for approval”. If you change the quote afterwards, ask again. Without “Send by e-mail” it only opens the quote: then choose “Copy the link”, and give it to the customer and to nobody else.

## What the customer sees
The link opens the quote without signing in. They can keep it as a PDF, choose “Accept and sign” and sign with a finger or by typing, or decline and say why. You get an e-mail either way, and the lead’s timeline says so. The customer gets a link to the signed quote, and its page says what is to be paid and when the next invoice comes. On the quote’s own page “What it has become” leads to the invoice and the subscriptions.

## While it is open
- The portal reminds the customer before the quote ends: 7 days and 1 day before, unless your settings say otherwise. “Send again” sends the e-mail once more.
- “Give more time” sets a later day and keeps your reason. It works for an expired quote too.
- “Make a new revision” starts a draft with the same lines. Once it is sent, the former link says that there is a newer version.
- “Cancel quote” withdraws it, and keeps your reason.
Your quotes that end within a week, and those answered in the last two weeks, are on your dashboard.`,
  },
  {
    slug: 'subscriptions',
    title: 'Subscriptions, and the billing run',
    summary: 'Changing what a customer pays, cancelling, and what is invoiced by itself',
    allow: STAFF,
    text: `## How one begins
A quote with plans becomes a subscription when it is accepted: by the customer’s link, or by you with “Accepted by telephone”, where you enter who says so and their purchase order number. The first invoice is made at once, just as it was accepted. If it lacks something, such as the customer’s address, it waits as a draft under Sales, Billing run.

## Change it
Open it from the customer’s page, or under Sales, Subscriptions. “Add a plan”, “Change how many”, “Exchange” and “Remove” first show what the change comes to: each line with its days. Nothing is done until you choose it. What is more is invoiced at once; what is given back is credited, by those who look after money.

A new price of a plan counts from the next period.

## Pause and cancel
- “Pause” gives back the days that are left. “Resume” charges from that day on.
- “Cancel subscription” ends it with its period, or now. Until its period has ended, “Keep it after all” takes that back.
A subscription that was cancelled stays to be read.

## The billing run
Early each day the portal invoices what is due: everything of a customer that begins on one day on one invoice. Under Sales, Billing run you see what is due, the latest runs, the drafts that could not be issued, and quotes that were accepted and not billed.

## Renewals
Under Sales, Renewals, stands what is renewed within ninety days: what it is worth in a year, and how likely it is lost. How the risk comes about is said there.

## When nobody pays
A subscription with an overdue invoice is past due. After some days, 14 unless your rules say otherwise, what it opens in the portal can be read and exported, and not changed. It opens again as soon as the invoice is paid. The article on collecting what is due says more.`,
  },
  {
    slug: 'customers-and-cards',
    title: 'Customers and cards',
    summary: 'Who buys, what they owe, their coupon and their cards',
    allow: STAFF,
    text: `## A new customer
Under Sales, Customers, choose “New customer”: of a lead, of a client, or of somebody new. Quotes and invoices go to the e-mail address you give; left empty, the one that is known is taken. From a lead, “Make a customer and a quote” does the same.

## Cards
1. On the customer’s page choose “Add a card”.
2. The card is entered on the payment service’s own page. Its number never comes to the portal, and you never write it down.
3. With several cards, “Use first” says which is charged.
4. A customer who pays by the link may tick “Keep this card for later invoices”: it is then the one that is charged. Otherwise their card is not kept.
A card that was removed can’t be charged any more; to use it again it has to be entered again.

## Account balance
“Change the balance” records a payment received, or an amount owed. Before you save, it shows what the balance becomes. What the customer owes and what is in their credit are said in words.

## Coupon
“Choose a coupon” gives the customer one, “Detach” takes it off. A new quote offers it: “Use their coupon”. A coupon that has run out says “No longer valid”.`,
  },
  {
    slug: 'payments-and-refunds',
    title: 'Payments and refunds',
    summary: 'Taking money, giving it back, and what the payment service tells',
    allow: STAFF,
    text: `## Take a payment
On an invoice, or on the customer’s page, choose “Take a payment”. A card that is kept is charged at once. Those who look after money can also book a bank transfer, with the day on which it came. A payment for no invoice is in the customer’s credit.

If the card is declined, the bank’s reason stands by the form, and what you typed stays. If a payment is “under way”, the payment service has not answered yet: it is asked by the portal, and you do not take the payment again.

## Refund
1. Open the payment under Sales, Payments. It says what is refundable now.
2. Choose “Refund”, enter the amount and why.
3. Above the limit, a second person who looks after money approves it, on the same page or under Sales, Approvals. Until then you can withdraw it.
What was refunded with the payment service itself is in the list too, with the service as its creator.

## Disputes and late failures
When a holder asks their bank for the money back, or a payment fails after all, the payment says so, and the invoice is open again. Answer a dispute with the payment service; once it is won, the invoice is paid again.

## Events
Under Settings, Payment events, those who look after money see what the payment service has told of. “Look at it again” asks how the payment stands now.`,
  },
  {
    slug: 'bank',
    title: 'What came into the bank',
    summary: 'Reading a statement, and booking its lines',
    allow: 'ROLE_FINANCE',
    text: `## Read a statement
Save a CSV file in your bank’s own pages. Under Sales, Bank, choose “Read a statement” and that file. Nothing is booked by it. Lines that were in an earlier file are not there twice: you are told how many.

## Book the lines
“To confirm” means that a line says an invoice’s number, or names a customer who owes just that. Open it to see why, or choose several lines and “Book as proposed”. The invoice is then paid.

“Not matched” waits for you: choose the invoice, or the customer alone, and it is in their credit. “No payment of a customer” puts a line aside, such as interest.`,
  },
  {
    slug: 'collecting',
    title: 'Collecting what is due',
    summary: 'Cards that are charged by themselves, reminders, promises, and what becomes of those who do not pay',
    allow: STAFF,
    text: `## What the portal does by itself
- On the due day of a subscription’s invoice it charges the customer’s default card. The invoice has told them so.
- If the card is declined, it tries again on up to four later days, and writes to the customer each time, with a link to pay. A card that was declined for good, such as a stolen one, is not tried again: another default card is.
- Who has no card is reminded before and after the due day, with a link to pay.
- Who has not paid for so many days that what the subscription opens can only be read is not invoiced further. Once they pay, the next period begins on that day.
- Three weeks before a card ends, its holder is asked for the new one.
Letters go to the e-mail address for invoices on the customer’s page.

## See what comes next
On the invoice, “Collecting” says what was done, on which day, and what comes next. On the customer’s page it lists all that is overdue. Under Sales, Failed payments, those who look after money see everybody’s, the longest overdue first, and choose by days overdue.

## Somebody promises to pay
On the invoice choose “Pause collecting”, the day, and why. Until that day is over no card is charged, no reminder goes out, and nothing is taken from the customer. “Collect it again” ends the pause.

## When it is paid
By card, by the link or by the bank: collecting ends at once, the subscription is active, and what it opens is open again. A payment that was given back or is disputed is held: nothing is taken again until you choose “Collect it again”.

## Rules
Those who look after money open “Rules for collecting” under Sales, Failed payments: whether cards are charged, on which days they are tried again and reminders go, after how many days a subscription can only be read, and what becomes of it in the end.`,
  },
  {
    slug: 'ledger',
    title: 'The ledger',
    summary: 'Where every penny has gone, VAT, and closing a period',
    allow: 'ROLE_FINANCE',
    text: `## What stands there
Under Sales, Ledger, each movement of money stands with its two sides: what a customer owes, what is in the bank, what was sold, what VAT is due. Nobody types into it: what is booked, invoiced, paid and paid back posts itself, and nothing that was posted changes. What was wrong is put right by another movement.

## Look at a period
Choose its first and last day. “Accounts” says what each account comes to at the end of the last day; “VAT of the period” what was sold under each kind of VAT. Below stand the movements: open one to see its sides.

## Who owes what
Under Sales, Aged debtors, you see what each customer owes at the end of a day, and for how long. Choose a number to see the invoices behind it.

## What is paid again and again
Under Sales, Recurring revenue, each month says what was new, grew, shrank and went. Choose a number to see the customers behind it.

## Take it elsewhere
“CSV for Xero” and “CSV for Sage” save the journal of the period as a file that these take in as manual journals. Each account has its usual nominal code.

## Close a period
Once your accountant has a month or a quarter, choose “Close a period” and its last day. Nothing more is posted up to that day, not even a payment that was received then: book it on a later day. A period that is closed is never opened again.`,
  },
  {
    slug: 'invoices',
    title: 'Invoices and credit notes',
    summary: 'Drafts, issuing, what becomes of an invoice, and statements',
    allow: STAFF,
    text: `## A draft
Under Sales, Invoices, choose “New invoice”. Choose the customer, and type what is to be paid for. Plans and items bring their price; VAT is charged by today’s rates. “Save draft” keeps it: a draft can be changed and deleted, and has no number. “Send as pro forma” sends it by e-mail before it is an invoice.

## Issue it
Whoever looks after money chooses “Preview and issue”. You see the invoice as the customer gets it, and what stands in the way. “Issue invoice” gives it the next number, sends it by e-mail, and notes what is owed. From then on only a word to the customer, the purchase order and a later due day can change.

## What becomes of it
- What the customer has in credit pays it at once.
- “Make a credit note” takes back all that is left, or a part of a line. It lowers what is to pay; what was paid already stays in the customer’s credit.
- “Make void” is for an invoice that nothing was paid of.
- “Write off” is for what nobody will pay. “Ask for it again” takes that back.

## Statement
On the customer’s page choose “Statement”: what happened between two days, with the balance after each. “Keep as PDF” gives it to the customer.`,
  },
] satisfies Article[]
