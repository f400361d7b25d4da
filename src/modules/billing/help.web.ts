import type { HelpArticleSource } from '#web/shell/manifest/article.ts'
import { RECEIVED_INVOICE_PAYER_ROLE } from './received-invoices/bill.ts'
import { INVOICING_ROLES, STAFF_ROLE } from './rights.ts'

export default [
  {
    slug: 'own-invoicing',
    title: 'Invoicing your own customers',
    summary: 'Your own company’s quotes, invoices, payments and stock',
    allow: INVOICING_ROLES,
    text: `## Before the first invoice
Go to Invoicing > Invoice settings and enter your number prefixes and first invoice number, your bank details and your default VAT. Once an invoice is issued, its number series continues. Your address, place of registration, registered office, VAT number and logo belong to your company: its administrator changes them under Settings > Letterhead. Without a VAT number, no VAT is charged.

Invoicing is for sales to businesses only, not to consumers: quotes and invoices leave out a consumer’s right to cancel within 14 days, and prices exclude VAT.

## What you sell
Items are under Inventory, and recurring plans are under Catalogue. To count an item, select “Track stock” for it. Then record receipts, returns, losses and use, each with a reason, or record a stock count. Stock goes down when an invoice is issued, and up again when it is credited or voided. You get a warning if an invoice needs more than is in stock. You can block such invoices in Invoice settings.

## From quote to payment
1. Choose “New quote”, then “Preview and send”. Your customer opens the quote with a link, then accepts and signs it or declines it.
2. Once the quote is accepted, it is converted into a single invoice, which is e-mailed to your customer as a PDF. If a detail is missing, such as an address, the invoice stays a draft in your list of invoices.
3. Without a quote, start with “New invoice”.
4. When you have been paid, choose “Record a payment” on the invoice, and enter the date and the reference. Card payments are not available here.
“Statement”, on a customer’s page, lists their invoices and payments.

## Permissions
Your company’s administrator gives users a right under Settings > Users. “Invoicing” is for people who write quotes and invoices. “Invoicing and finance” is for those who also record payments, set prices and limits, and approve discounts and refunds. Nobody else can see your books, not even the operator of this portal.

Discounts need no approval until you go to Quotes, choose “Settings” and save them. After that, a discount above your limits waits under Approvals until another person with the right “Invoicing and finance” has approved it. If you are the only person with this right, raise the limit, which applies from the next day, or give somebody else the right.`,
  },
  {
    slug: 'invoices-to-pay',
    title: 'Invoices to your company',
    summary: 'View and pay your invoices for this portal',
    allow: RECEIVED_INVOICE_PAYER_ROLE,
    text: 'Go to Invoicing > Invoices to pay for a list of the invoices to your company, latest first. “PDF” opens an invoice as it was sent. “Pay” opens the payment page, where you can pay by card or bank transfer. A card is saved for later invoices only if you select “Save this card for later invoices”.',
  },
  {
    slug: 'quotes',
    title: 'Quotes and acceptance',
    summary: 'Building, sending and extending quotes, and what the customer sees',
    allow: STAFF_ROLE,
    text: `## Start
Quotes are for businesses only, not for consumers. For a lead, choose “Sell” (S). This takes you through the contact, customer, quote, card and sending. For an existing customer, go to Sales > Quotes and choose “New quote”.

## Build the quote
1. Choose the customer and a coupon, if any.
2. Type in “Add a plan, product or custom line” and press Enter. The price of a plan or item is filled in. For a custom line, enter the price.
3. For a discount, enter “Discount %” in a line, which is taken off each payment for that line. Or enter “Discount” under Details: a percentage or an amount off the first payment, a number of payments or every payment. A quote has either a coupon or such a discount.
4. Under Details, set the VAT, how long the quote is valid, and a message to the customer. The document on the right shows what the customer will get.
5. Choose “Save draft”, or press Ctrl S. Only a draft can be changed.

## Send the quote
Choose “Preview and send” to see the e-mail and the quote exactly as the customer will get them, with the first three invoices. “Send quote” sends the e-mail and the quote. The limits apply to the most discounted line and to the total discount within a year, so adding other lines makes no difference. Time before billing starts that is not charged counts as a discount. A discount above a limit needs approval by finance staff first: enter a reason and choose “Request approval”. The approvers are notified at once, and so are you of their decision; until then, you can withdraw the request. If you change the quote afterwards, request approval again. If “Send by e-mail” is off, the quote goes live but no e-mail is sent. Choose “Copy the link” and give the link to the customer only.

## What the customer sees
The link opens the quote without signing in. The customer can download a PDF, choose “Accept and sign” and sign with a finger or by typing, or decline with a reason. You get an e-mail either way, and the lead’s timeline shows the answer. The customer gets a link to the signed quote, which shows the amount due and the date of the next invoice. The quote’s own page links to the invoice and the subscriptions created from it.

## While the quote is open
- The portal reminds the customer before the quote expires: 7 days and 1 day before, unless your settings differ. “Send again” resends the e-mail.
- “Extend quote” sets a later expiry date and saves your reason. You can also extend an expired quote.
- “Make a new revision” starts a draft with the same lines. Once the new revision is sent, the previous link says that there is a newer version.
- “Cancel quote” withdraws the quote and saves your reason.
Your dashboard shows your quotes that expire within a week, and those answered in the last two weeks.`,
  },
  {
    slug: 'subscriptions',
    title: 'Subscriptions and the billing run',
    summary: 'Changing and cancelling subscriptions, and automatic invoicing',
    allow: STAFF_ROLE,
    text: `## How a subscription starts
A quote with plans becomes a subscription when it is accepted. The customer accepts it with their link, or you choose “Accept by telephone” and enter the person’s name and their purchase order number. The first invoice is created immediately, exactly as accepted. If a detail is missing, such as the customer’s address, the invoice stays a draft under Finance > Subscriptions > Billing run.

## Change a subscription
Open the subscription from the customer’s page, or under Finance > Subscriptions. “Add a plan”, “Change quantity”, “Switch plan” and “Remove” first show the price of the change, with the days that each line covers. The discount of a line stays when its quantity or the price of its plan changes, and ends when the plan is switched. A discount of the quote applies to added seats and plans too: if this takes the discount above a limit, enter a reason and choose “Request approval”, and make the change once another person has approved it. Nothing changes until you confirm. Choose when the change applies:
- Now: an increase is invoiced immediately. For a reduction, choose whether the unused days are credited; the dialog states the amount. Only finance staff can give a credit. Without one, the amount charged stays.
- From the next period: nothing is charged or credited. The subscription lists the change under the first day of the next period; “Withdraw” cancels it until then. An item has one such change at a time.

## Change a price
A subscription keeps its signed price. After you have saved a new price of a plan under Catalogue > Plans, its dialog shows how many subscriptions have another price. Read the preview, then e-mail the notices there. Each notice states both prices and the day from which the new one applies: the first period after the days set in the invoice settings. The new price applies only if the notice was sent in time. To exempt a contract, choose “Keep agreed price” on its subscription. “Withdraw” beside a new price cancels it. Your terms must allow price changes.

## Pause and cancel
- “Pause” credits the unused days. “Resume” charges from the day you resume. Changes from the next period remain.
- “Cancel subscription” asks for the reason, and ends the subscription at the end of the period, or now with or without a credit for the unused days. Until the period has ended, you can undo this with “Keep subscription”. Changes from the next period are withdrawn.
A cancelled subscription can still be viewed. The list of subscriptions can be filtered by reason; its totals are those of the subscriptions found.

## The billing run
Early each day, the portal invoices the subscriptions that are due. All of a customer’s subscriptions that start on the same day are on one invoice. Go to Finance > Subscriptions > Billing run to see the subscriptions that are due, the latest runs, drafts that could not be issued, and accepted quotes that have not been billed.

## Renewals
Go to Finance > Subscriptions > Renewals for a list of the renewals in the next ninety days, with their annual value and the risk that they are not renewed. The page explains how the risk is calculated.

## When a customer does not pay
A subscription with an overdue invoice is past due. After 14 days, unless your settings differ, its modules in the portal become read-only: data can be viewed and exported, but not changed. Full access returns as soon as the invoice is paid. For more, see the article on payment reminders.`,
  },
  {
    slug: 'customers-and-cards',
    title: 'Customers and cards',
    summary: 'Customers and their balances, coupons and cards',
    allow: STAFF_ROLE,
    text: `## A new customer
Go to Sales > Customers and choose “New customer”, then create the customer from a lead, from a client, or as someone new. Quotes and invoices go to the e-mail address you enter; if you leave it empty, the address on record is used. On a lead, “Create quote” also creates a customer.

## Cards
1. On the customer’s page choose “Add a card”.
2. Enter the card details on the payment service’s own page. The card number never reaches the portal. Never write the number down.
3. If there are several cards, “Make default” sets the card to be charged.
4. A customer who pays with a payment link can select “Save this card for later invoices”. The card then becomes the default card. Otherwise the card is not saved.
A removed card can no longer be charged. To use the card again, enter its details again.

## Direct Debit
1. A billing administrator enters “Name on bank statements for Direct Debits” in the payment settings. Payment pages then offer Direct Debit.
2. The customer enters the account on the payment page. The account number never reaches the portal; you see its last four digits on the customer’s page.
3. Before each collection, the customer gets an e-mail with the amount and the day. The number of days is a reminder setting.
4. A collection is pending for about three working days. If it fails, the invoice shows the bank’s reason.
Finance can cancel a Direct Debit on the customer’s page. If a bank cancels it, finance is notified, and reminders are sent instead.

## Account balance
“Change balance” records a payment received or an amount owed. Before you save, you see the new balance. Above the approval limit, choose “Request approval”: a second person from finance decides under Finance > Payments > Approvals. Payments received need no approval.

## Coupon
“Choose a coupon” gives the customer a coupon, and “Remove” removes it. On a new quote, choose “Use the customer’s coupon” to apply it. An expired coupon is marked “No longer valid”.`,
  },
  {
    slug: 'payments-and-refunds',
    title: 'Payments and refunds',
    summary: 'Recording payments, refunds, and payment service events',
    allow: STAFF_ROLE,
    text: `## Record a payment
On an invoice, or on the customer’s page, choose “Record a payment”. A saved card is charged immediately. Finance staff can also record a bank transfer, with the date received. A payment without an invoice goes to the customer’s credit, and only finance staff can take one.

If the card is declined, the form shows the bank’s reason and keeps your input. If a payment is pending, the payment service has not confirmed the result yet. The portal checks the payment for you. Do not take the payment again.

## Refund
1. Open the payment under Finance > Payments. The page shows how much can be refunded.
2. Choose “Refund” and enter the amount and the reason.
3. A refund above the limit needs approval by a second person from finance. The limit applies to the total of 30 days: on this payment, to this customer, and by you to all customers. Refunds, write-offs, voids, credit notes and balance changes count, except those that a second person approved and payments received. Approval is on the same page or under Finance > Payments > Approvals. Until then, you can withdraw the refund.
Refunds made directly with the payment service are listed too. They show the payment service as their creator.

## Disputes, and payments that fail later
When a cardholder disputes a payment with their bank, or a payment fails later, the payment page shows this and the invoice is reopened. Respond to the dispute directly with the payment service. Once the dispute is won, the invoice is marked as paid again.

## Events
Under Finance > Payments > Payment events, finance staff see the events received from the payment service. “Process again” processes an event once more with the current status of the payment. You can repeat this safely.`,
  },
  {
    slug: 'bank',
    title: 'Bank statements',
    summary: 'Importing a statement and recording its lines',
    allow: 'ROLE_FINANCE',
    text: `## Import a statement
Download the statement from your bank as CSV, OFX, QIF, CAMT.053 or MT940. Go to Finance > Bank, choose “Import statement” and select the file. No payment is recorded until you confirm. Payments out, pending and reverted lines are left out. Lines from an earlier file are not added again, and you see how many such lines there were. If a new line may repeat a payment of an earlier file, it is not matched, and its reason says so.

## Columns of a CSV file
The first time that you import a CSV file with new column headings, check what each column means, then choose “Import”. Your choice is used again for files with the same headings. To change it, select “Check the columns first” before you import. If one column states the direction of a payment, choose the meaning of each of its words.

## Confirm the lines
“To confirm” means that a line quotes an invoice number, or names a customer who owes exactly that amount. Open the line to see the reason, or select several lines and choose “Confirm matches”. A list shows each line with its invoice and amount; lines without a match are left out. The payments are then recorded for those invoices.

For lines marked “Unmatched”, choose the invoice. To add the amount to a customer’s credit, choose only the customer. Choose “Not a customer payment” for other lines, such as interest.

## One transfer for several invoices
Open the line and choose “Split”. Choose the customer and enter an amount for each invoice; the remainder is shown. A remainder can be added to the customer’s credit.

## Correct a mistake
Open a recorded line, choose “Undo match” and enter the reason. Its payments are reversed and the invoices are due again. Nothing is refunded, and the line can be matched again. On the page of a payment that was recorded by hand, choose “Undo this payment”. Payments that were refunded or disputed cannot be undone.`,
  },
  {
    slug: 'collecting',
    title: 'Payment reminders',
    summary: 'Automatic card charges, reminders, promises to pay, and unpaid invoices',
    allow: STAFF_ROLE,
    text: `## What happens automatically
- On the due date of a subscription’s invoice, the portal charges the customer’s default card, as announced with the invoice.
- If the card is declined, the portal tries again on up to four later days, and e-mails the customer each time with a payment link. A permanently declined card, such as a stolen one, is not charged again. If the customer has a different default card, that card is charged.
- All other invoices get reminders before and after the due date, with a payment link. The days, the wording and whether invoices without a subscription are included are settings.
- No reminder is sent while the e-mail with the invoice itself has not been accepted by a mail server, or has bounced. The invoice states this.
- A subscription that has become read-only is not invoiced again. Once the overdue invoice is paid, the next period starts on that day.
- Three weeks before a card expires, the customer is asked for a new card.
E-mails go to the e-mail address for invoices on the customer’s page.

## Upcoming steps
On an invoice, “Payment reminders” shows past and upcoming steps with their dates. On the customer’s page, “Overdue” lists the overdue invoices. Under Finance > Overdue, finance staff see the overdue invoices of all customers, longest overdue first, with the last contact, promises, pauses and notes. If no automatic reminder will be sent, the invoice states why.

## A promise to pay
Choose “Record a promise”, and enter the date and the amount. Until that day has ended, no card is charged, no reminders are sent and access is not restricted. Payments decide whether the promise was kept; you are notified if it was broken. “Pause reminders” does the same for any other reason. “Resume reminders” ends the pause.

## A reminder by hand
“Send a reminder” on the invoice, or in the row of the overdue list, e-mails one at once. For several invoices, select the rows and choose “Send reminders”: those without an e-mail address, and paused or paid ones, are left out and listed. Each invoice can have one reminder a day.

## Late payment interest
An overdue invoice shows the interest under the Late Payment of Commercial Debts (Interest) Act 1998: 8% above the Bank of England base rate before the half-year in which the invoice became overdue, and a fixed sum of £40, £70 or £100. Nothing is added unless you choose “Add interest”, which issues a debit note outside the scope of VAT. “Waive interest” records that you don’t claim it. The Act is for debts between businesses: mark private buyers as “Consumer, not a business” on the customer’s page. If the portal does not know a base rate, choose “Add base rate”.

## When the invoice is paid
However the invoice is paid, reminders stop immediately, the subscription is active again and full access returns. After a refund or a dispute, reminders are on hold: nothing is charged again until you choose “Resume reminders”.

## Settings
Finance staff open “Reminder settings” under Finance > Overdue, and set whether cards are charged, the days for retries and reminders, the wording of each reminder, whether reminders state late payment interest, when a subscription becomes read-only, and the final step.`,
  },
  {
    slug: 'ledger',
    title: 'The ledger',
    summary: 'Ledger transactions, VAT and closing a period',
    allow: 'ROLE_FINANCE',
    text: `## What it shows
Go to Finance > Ledger for a list of all transactions. Each is shown with the accounts on its two sides, such as customer accounts, bank, sales and VAT. Nothing is entered manually: invoices, payments, refunds and other entries are posted automatically and never change once posted. Corrections are made by another transaction.

## View a period
Choose the first and last day of the period. “Accounts” shows the balance of each account at the end of the last day; “VAT for the period” shows sales by type of VAT. “Payments received before an invoice” lists payments for future supplies: VAT is due on them in this period. Below are the transactions. Open a transaction to see its two sides.

## Aged debtors
Go to Finance > Overdue > Aged debtors to see what each customer owes at the end of a day, and for how long the amount has been overdue. Choose an amount to see the invoices behind it.

## Recurring revenue
Go to Finance > Subscriptions > Recurring revenue to see new, increased, reduced and lost revenue for each month. Choose an amount to see the customers behind it. “Cancelled subscriptions by reason” states the monthly revenue that each reason cost.

## Export
“Files for your accountant” lists the files of the period for Xero or Sage 50, each in one currency. Every posting is in exactly one file:
- “Sales” has invoices, credit notes, voided invoices, bad debts and balance adjustments. Only this file has VAT. Credits are negative documents with their own number. Xero calculates VAT again, so a part credit may differ by a penny: enter the stated VAT there.
- “Journal” has deferred and earned income. Its lines have no VAT, because the sales have it.
- Payments, refunds and fees are bank statements in Xero, where 1200 and 1250 are bank accounts: reconcile them with the imported invoices. In Sage they are receipts on account, to be allocated.
- “All entries” has every entry of the ledger, for other programs.

Xero and Sage take journals in sterling only. A file above Xero’s limits comes in parts. The trial balance has the balance of each account at the end of the period.

## VAT returns
Go to Finance > VAT returns and choose “New VAT return”. Boxes 1 and 6 are calculated from your documents, in sterling, by invoice date or by payments received. Choose an amount to see its rows. The portal does not know your purchases: choose “Enter purchases” and type them. “Add adjustment” corrects a box, with a reason; use it for errors in earlier returns that HMRC lets you correct in the next one.

Written-off invoices appear under “Bad-debt relief” six months after the later of due date and supply. “Claim” adds their VAT to box 4. If the customer pays later, the next return repays it in box 1.

To file with HMRC (Making Tax Digital), choose “Connect to HMRC” on the page of VAT returns and sign in with the Government Gateway account of your business. Then open the return, choose “File with HMRC”, check the nine boxes and confirm the declaration. The first and last day must be those of HMRC’s period. HMRC’s receipt is shown on the return. If HMRC does not answer, the return is “Sent, not confirmed”: choose “Check with HMRC”. It is never sent twice.

If you file with other software, choose “Record as filed” afterwards. Either way, the figures are frozen, and the books are closed up to the last day. Later documents, such as credit notes, fall into the next return.

## Close a period
Once your accountant has the figures for a month or a quarter, choose “Close a period” and enter the last day of the period. After that, nothing can be posted on or before that day. Record a payment received in the closed period on a later date. A closed period can never be reopened.`,
  },
  {
    slug: 'invoices',
    title: 'Invoices and credit notes',
    summary: 'Drafting, issuing and crediting invoices, payments and statements',
    allow: STAFF_ROLE,
    text: `## A draft
Go to Finance > Invoices and choose “New invoice”. Choose the customer and add the lines. The price of a plan or item is filled in, and VAT is charged at today’s rates. Choose “Save draft”. A draft has no number and can be changed or deleted. “Send as pro forma” e-mails the draft before it is issued.

## VAT
A VAT invoice above £250 needs the customer’s street and postcode. For the reverse charge, choose its rate: the invoice states the VAT that the customer accounts for. An invoice in another currency uses the month’s exchange rate under Finance > Invoice settings > Catalogue > Exchange rates.

## Issue the invoice
Finance staff choose “Preview and issue”. You see the invoice as the customer gets it, and any problems. If the supply was on an earlier day, enter it under “Date of supply”: the tax point follows from it. “Issue invoice” assigns the next number, e-mails the invoice and posts the amount due to the ledger. After that, only the message to the customer and the purchase order can change, and the due date can be extended.

## After issuing
- The customer’s credit is applied immediately.
- “Create credit note” credits one or several lines, in full or in part, and shows the VAT and what is left to pay. The credit note reduces the amount due. An amount already paid can be added to the customer’s credit or refunded. Above the approval limit, choose “Request approval”: the credit note is created once a second person approves it.
- “Void” is for an invoice without any payment.
- “Write off” is for an amount that will not be paid. “Reinstate” reverses the write-off. Above the approval limit, choose “Request approval”: a second person from finance decides under Finance > Payments > Approvals.

## Statement
On the customer’s page choose “Statement” to see all transactions between two dates, with the balance after each. “Download PDF” saves the statement for the customer, and “Send by e-mail” e-mails it. A customer with entries in several currencies has one statement for each.

At the end of a month, choose “Month-end statements” in the list of customers, select them all, and choose “E-mail statement”. Each customer gets one e-mail. You can stop and resume the job; an e-mail can’t be undone.`,
  },
] satisfies HelpArticleSource[]
