import type { HelpArticleSource } from '#web/shell/manifest/article.ts'
import { RECEIVED_INVOICE_PAYER_ROLE } from './received-invoices/bill.ts'
import { INVOICING_ROLE, STAFF_ROLE } from './rights.ts'

export default [
  {
    slug: 'own-invoicing',
    title: 'Invoicing your own customers',
    summary: 'Quotes, invoices, payments and stock of your own company',
    allow: INVOICING_ROLE,
    text: `## Before the first invoice
Under Invoicing, Invoice settings, enter your number prefixes and first invoice number, your bank details and your default VAT. Once an invoice is issued, its number series continues. Your address, VAT number and logo belong to your company: its administrator changes them under Settings, Letterhead. Without a VAT number, no VAT is charged.

## What you sell
Items are under Inventory, recurring plans under Catalogue. Choose “Track stock” for an item to count it. Then record receipts, returns, losses and use, each with a reason, or a stock count. Stock goes down when an invoice is issued, and up again when it is credited or voided. You get a warning if an invoice needs more than is in stock; in the settings you can block such invoices.

## From quote to payment
1. Choose “New quote”, then “Preview and send”. Your customer opens it by a link, then accepts and signs it, or declines.
2. Once accepted, it is converted into an invoice, once, and e-mailed to your customer as a PDF. If something is missing, such as an address, it waits as a draft among your invoices.
3. Without a quote, start with “New invoice”.
4. When you have been paid, choose “Record a payment” on the invoice, and enter the date and the reference. Card payments are not available here.
“Statement”, on a customer’s page, lists their invoices and payments.

## Permissions
Your company’s administrator gives people the right “Invoicing” under Settings, Users. Nobody else can see your books, not even the operator of this portal.

Discounts need no approval until you save “Settings” under Quotes. After that, a discount above your limits waits under Approvals until another person with the right “Invoicing” has approved it. If you are the only one, raise the limit or give somebody else the right.`,
  },
  {
    slug: 'invoices-to-pay',
    title: 'Invoices to your company',
    summary: 'View and pay your invoices for this portal',
    allow: RECEIVED_INVOICE_PAYER_ROLE,
    text: 'Invoicing, Invoices to pay lists the invoices to your company, latest first. “PDF” opens an invoice as it was sent. “Pay” opens the payment page, where you can pay by card or bank transfer. A card is saved for later invoices only if you select “Save this card for later invoices”.',
  },
  {
    slug: 'quotes',
    title: 'Quotes and acceptance',
    summary: 'Building, sending and extending quotes, and what the customer sees',
    allow: STAFF_ROLE,
    text: `## Start
From a lead: choose “Sell” (S). It takes you through contact, customer, quote, card and sending. For an existing customer: Sales, Quotes, “New quote”.

## Build it
1. Choose the customer and a coupon, if any.
2. Type in “Add a plan, product or custom line” and press Enter. Plans and items bring their price; for a custom line you enter it.
3. Under Details, set the VAT, how long the quote is valid, and a message to the customer. The document on the right shows what they will get.
4. Choose “Save draft”, or press Ctrl S. Only a draft can be changed.

## Send it
Choose “Preview and send” to see the e-mail and the quote exactly as they arrive, with the first three invoices. “Send quote” sends them. A discount above the limit needs approval by finance staff first: enter a reason and choose “Ask for approval”. If you change the quote afterwards, ask again. Without “Send by e-mail”, the quote only goes live: then choose “Copy the link” and give it to the customer only.

## What the customer sees
The link opens the quote without signing in. The customer can download a PDF, choose “Accept and sign” and sign with a finger or by typing, or decline with a reason. You get an e-mail either way, and the lead’s timeline shows it. The customer gets a link to the signed quote, with the amount due and the date of the next invoice. The quote’s own page links to the invoice and the subscriptions created from it.

## While it is open
- The portal reminds the customer before the quote expires: 7 days and 1 day before, unless your settings differ. “Send again” resends the e-mail.
- “Give more time” sets a later date and saves your reason. It also works for an expired quote.
- “Make a new revision” starts a draft with the same lines. Once it is sent, the previous link says that there is a newer version.
- “Cancel quote” withdraws it and saves your reason.
Your dashboard shows your quotes that expire within a week, and those answered in the last two weeks.`,
  },
  {
    slug: 'subscriptions',
    title: 'Subscriptions and the billing run',
    summary: 'Changing and cancelling subscriptions, and automatic invoicing',
    allow: STAFF_ROLE,
    text: `## How a subscription starts
A quote with plans becomes a subscription when it is accepted: by the customer’s link, or by you with “Accepted by telephone”, where you enter the person’s name and their purchase order number. The first invoice is created at once, exactly as accepted. If something is missing, such as the customer’s address, it waits as a draft under Sales, Billing run.

## Change it
Open it from the customer’s page, or under Sales, Subscriptions. “Add a plan”, “Change quantity”, “Switch plan” and “Remove” first show the price of the change: each line with its days. Nothing changes until you confirm. An increase is invoiced at once; a reduction is credited by finance staff.

A new price of a plan applies from the next period.

## Pause and cancel
- “Pause” credits the remaining days. “Resume” charges from that day on.
- “Cancel subscription” ends it at the end of the period, or now. Until the period has ended, “Keep it after all” undoes that.
A cancelled subscription can still be viewed.

## The billing run
Early each day the portal invoices what is due. All of a customer’s subscriptions that start on one day are on one invoice. Sales, Billing run shows what is due, the latest runs, drafts that could not be issued, and accepted quotes that are not billed.

## Renewals
Sales, Renewals lists the renewals of the next ninety days with their annual value and the risk of losing them. The page explains how the risk is calculated.

## When a customer does not pay
A subscription with an overdue invoice is past due. After 14 days, unless your settings differ, its modules in the portal become read-only: data can be read and exported. Full access returns as soon as the invoice is paid. For more, see the article on payment reminders.`,
  },
  {
    slug: 'customers-and-cards',
    title: 'Customers and cards',
    summary: 'Customers, their balance, coupon and cards',
    allow: STAFF_ROLE,
    text: `## A new customer
Under Sales, Customers, choose “New customer”: from a lead, from a client, or someone new. Quotes and invoices go to the e-mail address you enter; if you leave it empty, the address on record is used. From a lead, “Create quote” does the same.

## Cards
1. On the customer’s page choose “Add a card”.
2. The card is entered on the payment service’s own page. Its number never reaches the portal. Never write it down.
3. If there are several cards, “Make default” sets the one to be charged.
4. A customer who pays by the link can select “Save this card for later invoices”. It then becomes the default card. Otherwise their card is not saved.
A removed card can’t be charged any more. To use it again, enter it again.

## Account balance
“Change balance” records a payment received or an amount owed. Before you save, it shows the new balance and whether it is owed or in credit.

## Coupon
“Choose a coupon” gives the customer a coupon, “Remove” takes it off. A new quote offers it: “Use the customer’s coupon”. An expired coupon is marked “No longer valid”.`,
  },
  {
    slug: 'payments-and-refunds',
    title: 'Payments and refunds',
    summary: 'Recording payments, refunds, and payment service events',
    allow: STAFF_ROLE,
    text: `## Record a payment
On an invoice, or on the customer’s page, choose “Record a payment”. A saved card is charged at once. Finance staff can also record a bank transfer, with the date received. A payment without an invoice goes to the customer’s credit.

If the card is declined, the form shows the bank’s reason and keeps your input. If a payment is in progress, the payment service has not answered yet. The portal checks it for you: do not take the payment again.

## Refund
1. Open the payment under Sales, Payments. It shows how much can be refunded.
2. Choose “Refund” and enter the amount and the reason.
3. Above the limit, a second person from finance must approve it, on the same page or under Sales, Approvals. Until then you can withdraw it.
Refunds made at the payment service itself are listed too, with the service as their creator.

## Disputes and late failures
When a cardholder disputes a payment with their bank, or a payment fails later, the payment says so and the invoice is reopened. Answer a dispute at the payment service. Once it is won, the invoice is paid again.

## Events
Under Settings, Payment events, finance staff see the events received from the payment service. “Process again” processes an event once more with the current status of the payment; you can repeat this safely.`,
  },
  {
    slug: 'bank',
    title: 'Bank statements',
    summary: 'Importing a statement and recording its lines',
    allow: 'ROLE_FINANCE',
    text: `## Import a statement
Download a CSV file from your bank. Under Sales, Bank, choose “Import statement” and select the file. Nothing is recorded until you confirm. Lines from an earlier file are not added again: you see how many there were.

## Confirm the lines
“To confirm” means that a line quotes an invoice number, or names a customer who owes exactly that amount. Open it to see the reason, or select several lines and choose “Confirm matches”. The invoice is then paid.

For lines marked “Unmatched”, choose the invoice, or only the customer, to add the amount to their credit. “Not a customer payment” sets a line aside, such as interest.`,
  },
  {
    slug: 'collecting',
    title: 'Payment reminders',
    summary: 'Automatic card charges, reminders, promises to pay, and unpaid invoices',
    allow: STAFF_ROLE,
    text: `## What happens automatically
- On the due date of a subscription’s invoice, the portal charges the customer’s default card, as the invoice has announced.
- If the card is declined, the portal tries again on up to four later days, and e-mails the customer each time with a payment link. A permanently declined card, such as a stolen one, is not charged again; another default card is.
- Customers without a card get reminders before and after the due date, with a payment link.
- A subscription that has become read-only is not invoiced again. Once it is paid, the next period starts on that day.
- Three weeks before a card expires, its holder is asked for the new one.
E-mails go to the address for invoices on the customer’s page.

## Upcoming steps
On an invoice, “Payment reminders” shows past and upcoming steps with their dates. On the customer’s page it lists all overdue invoices. Under Sales, Failed payments, finance staff see the overdue invoices of all customers, longest overdue first, with a filter for days overdue.

## A promise to pay
On the invoice choose “Pause reminders”, and enter the date and the reason. Until that day has ended, no card is charged, no reminders are sent and access is not restricted. “Resume reminders” ends the pause.

## When it is paid
However it is paid, reminders stop at once, the subscription is active and full access returns. After a refund or a dispute, reminders are on hold: nothing is charged again until you choose “Resume reminders”.

## Settings
Finance staff open “Reminder settings” under Sales, Failed payments. There they set whether cards are charged, the days for retries and reminders, when a subscription becomes read-only, and the final step.`,
  },
  {
    slug: 'ledger',
    title: 'The ledger',
    summary: 'All movements of money, VAT, and closing a period',
    allow: 'ROLE_FINANCE',
    text: `## What it shows
Sales, Ledger lists each transaction with its two sides: customer accounts, bank, sales, VAT. There is no manual input: invoices, payments, refunds and other entries are posted automatically, and never change once posted. Corrections are made by another transaction.

## View a period
Choose its first and last day. “Accounts” shows the balance of each account at the end of the last day; “VAT for the period” shows sales by type of VAT. Below are the transactions: open one to see its sides.

## Aged debtors
Sales, Aged debtors shows what each customer owes at the end of a day, and for how long. Choose an amount to see the invoices behind it.

## Recurring revenue
Sales, Recurring revenue shows new, increased, reduced and lost revenue for each month. Choose an amount to see the customers behind it.

## Export
“CSV for Xero” and “CSV for Sage” save the journal of the period for import as manual journals. Each account has its usual nominal code.

## Close a period
Once your accountant has a month or a quarter, choose “Close a period” and its last day. Nothing more is posted up to that day, not even a payment received then: record it on a later date. A closed period can never be reopened.`,
  },
  {
    slug: 'invoices',
    title: 'Invoices and credit notes',
    summary: 'Drafts, issuing, payment and credit of an invoice, and statements',
    allow: STAFF_ROLE,
    text: `## A draft
Under Sales, Invoices, choose “New invoice”. Choose the customer and add the lines. Plans and items bring their price; VAT is charged at today’s rates. Choose “Save draft”: a draft can be changed and deleted, and has no number. “Send as pro forma” e-mails it before it is an invoice.

## Issue it
Finance staff choose “Preview and issue”. You see the invoice as the customer gets it, and any problems. “Issue invoice” gives it the next number, e-mails it and posts the amount due. After that, only the message to the customer, the purchase order and a later due date can change.

## After issuing
- The customer’s credit is applied at once.
- “Create credit note” credits the invoice in full or in part. It reduces the amount due; an amount already paid can go to the customer’s credit.
- “Void” is for an invoice without any payment.
- “Write off” is for an amount that will not be paid. “Reinstate” undoes that.

## Statement
On the customer’s page choose “Statement”: all transactions between two dates, with the balance after each. “Download PDF” saves it for the customer.`,
  },
] satisfies HelpArticleSource[]
