import type { HelpArticleSource } from '#web/shell/manifest/article.ts'

export default [
  {
    slug: 'calling-leads',
    title: 'Calling leads',
    summary: 'The lead list, the call queue, outcomes and undo',
    allow: 'ROLE_STAFF',
    text: `## Start
Choose “Start calling” on the dashboard or above the lead list. The most urgent lead opens and is reserved for you for ten minutes. The reservation is renewed while the page is open, so nobody else gets the same lead. A lead that you open from the list is reserved as soon as you call, start the timer or type a note; reading it reserves nothing.

## The list
Each tab is a category and shows its number of leads. Overdue callbacks come first. Search finds parts of names, several words in any order, telephone numbers in any format, and company numbers.

## The call
1. Read why this lead is next, and its timeline.
2. Call the number. The timer starts.
3. Write a note if needed.
4. Choose the outcome of the call with the mouse, or press its number key. Each outcome shows the date that it will set. If an outcome needs a date from you, you are asked for it.

The next lead opens automatically. After the last lead you return to the list.

## Undo
For ten seconds after you record an outcome, you can undo it from the message or with Ctrl Z. The lead, its note and its dates are restored.

## How numbers are dialled
Go to My profile and choose how this device dials: with the device’s own telephone, by SIP, or through a softphone’s URL.

## Call after 5
A lead that asked to be called after five is in everybody’s call queue from 17:00 in London until the end of the day.

## Away
While somebody is away, their callbacks go to the team. Set “Away until” on their page under Staff.

## Changes to outcomes
Lead administrators change the outcomes under Settings > Call outcomes. A lead that you have open still shows the previous outcomes. If you choose an outcome that has changed, a message tells you so, and nothing is lost.

## Do not call
If a lead must not be called, this is shown next to the number, on this lead and on every other lead with that number.`,
  },
  {
    slug: 'leads-of-a-team',
    title: 'Team leads',
    summary: 'Assigning leads, taking over a leaver’s leads, and access to leads',
    allow: 'ROLE_LEADS_ADMIN',
    text: `## Assigning leads
In the lead list, select rows and choose “Assign leads”. To assign every lead in the list, choose “Assign leads” above the list. A preview shows how many leads each person would get. The leads are divided evenly, up to the “Maximum leads” on each person’s page under Staff. Staff who are away get no leads. You can undo the assignment.

## When somebody leaves
When you retire an account, or a record under Staff, you are asked who takes over the leads: choose a colleague, or leave the leads unassigned. Agreed callbacks remain.

## Access to leads
Go to Settings > Access to leads to limit callers to their own and unassigned leads.

## Trays
A tray is an owner that is not a person, such as “Duplicates”. Leads in trays are not in the lead list, unless you choose the tray in the “Owner” filter or search for the leads.`,
  },
  {
    slug: 'site-visits',
    title: 'Site visits',
    summary: 'Planning a visit, notifying the client, and writing the report',
    allow: ['ROLE_SAFETY_ADMIN', 'ROLE_CLIENTS_ADMIN'],
    text: `## Planning a visit
Go to Clients > Site visits, choose “Plan a visit”, and then choose the client. The place, contact person and e-mail address are then filled in. Nobody can be booked for two clients at the same time. “My site visits” is your own diary, in date order.

## Notifying the client
Open an upcoming visit and choose “Notify the client by e-mail”.

## The report
Once a visit has started, choose “Write the report…” to complete the visit. Tick the box to send the report to the client. A report can’t be changed afterwards.`,
  },
  {
    slug: 'e-mails-to-leads',
    title: 'E-mails to leads',
    summary: 'Templates, delivery, replies and opt-outs',
    allow: 'ROLE_STAFF',
    text: `## Write an e-mail
On a lead with an e-mail address, choose “Write an e-mail”. Start with a template or your own text, open “Preview”, and fill in any missing values. You can then send the e-mail.

## Marketing and consent
An e-mail to a lead counts as marketing, unless you select “The lead asked for this e-mail, or it answers an e-mail from the lead”. Examples are a price that the lead asked for, and your answer to the lead’s e-mail. E-mails to several leads, daily e-mails and templates marked “Offer or other marketing” are always marketing.

Companies, LLPs, Scottish partnerships, public bodies and other corporate bodies may be sent marketing until they object. Sole traders, partnerships and leads of unknown legal form may not, unless they have consented, or asked about or bought similar services and were offered an opt-out (soft opt-in). A lead with a company number counts as a company if its legal form is unknown. If an e-mail can’t be sent, the preview says why.

On the lead, “Marketing e-mails” shows whether marketing may be sent. Choose “Record consent” and enter its date, how it was given and its wording. “Withdraw consent” takes effect at once and also stops queued e-mails. Consent given before an objection does not count.

The rule is regulation 22 of the Privacy and Electronic Communications Regulations 2003 (SI 2003/2426). This is a summary and not legal advice.

## Delivery
The E-mails page lists every e-mail that you may see. For an e-mail marked “Bounced”, the reason is shown. “Possibly sent” means that the mail server did not confirm it: such an e-mail is never resent automatically. Open an e-mail to read it and its replies, or to resend it.

## Replies
Replies appear in the lead’s timeline, with their attachments. Choose “Show quoted text” to see the quoted e-mails and the signature. Attachments that can’t be stored, for example programs, are listed with the reason. Automatic replies, delays, read receipts and calendar replies are labelled as such. A read receipt states only what the recipient’s mail program reports. If a mail server reports that an address does not exist, no further e-mails are sent to it.

## Opt-outs
Each e-mail has a link that lets the recipient opt out. After that, nobody can send e-mails to that address, not even in a batch, until a mail administrator lifts the opt-out with a reason. All opt-outs are listed under E-mail > Opt-outs, where you can also add an opt-out manually.

## Sending to many leads
Mail and lead administrators select some or all of the leads in the list, and then choose “E-mail”. Check the e-mail with “Preview”, then send it. Each address gets one e-mail. Excluded leads are listed with the reason, for example because they have not consented. “Background jobs” shows the progress. You can resume a stopped job there.`,
  },
  {
    slug: 'letters-by-post',
    title: 'Letters by post',
    summary: 'Templates with fields, one PDF for many leads, and a copy for each lead',
    allow: 'ROLE_STAFF',
    text: `## Templates
Go to E-mail > Letters by post. Mail and lead administrators write letters once, with fields such as {{first name}}, or {{first name|there}} with a default value. Choose a lead under “Preview for” to see the letter as that lead would receive it. A letter with unknown fields can’t be saved, and a letter with missing values is not printed.

## For one lead
Open the lead and choose “Print a letter”. The letter is saved in the lead’s timeline, where you can reopen it with “Open”.

## For many leads
Mail and lead administrators select some or all of the leads in the list, and then choose “Letter”. All letters are in one PDF. Leads that have no address, have opted out or lack a value are excluded and listed.

## Opt-outs
Go to E-mail > Opt-outs and choose “By post”. Leads that have opted out of e-mails get no letters by post either.`,
  },
  {
    slug: 'support-minutes',
    title: 'Support minutes',
    summary: 'Support time per client in the last 12 months',
    allow: 'ROLE_STAFF',
    text: 'Go to Clients > Support minutes. The minutes come from notes and outcomes on leads that are clients. Choose a number of minutes to see the notes. “Download CSV” saves the totals.',
  },
  {
    slug: 'import',
    title: 'Importing leads',
    summary: 'Importing a CSV file, with a trial run, a report of duplicates, and undo',
    allow: 'ROLE_STAFF',
    text: `Go to Sales > Import leads. Only lead administrators can import leads.

## The file
Choose a CSV file with column headings and up to 100,000 rows. Values may be separated by commas or semicolons, with or without quotation marks. Titles above the headings are left out. Contacts exported from Google or Outlook are recognised.

## The steps
1. Choose the file.
2. Assign the columns to fields. Recognised columns are assigned automatically. Consent to marketing is imported only with all three columns for it: its date, how it was given and its wording. If you undo the import, this consent is void.
3. Choose what happens to leads that already exist.
4. Start a trial run. The trial run changes nothing. It shows how many leads are new, how many already exist and which rows have errors.
5. Start the import. You can close the page; the import will continue.

## Duplicates
A lead that matches an existing one by company number, telephone number, e-mail address, or company name and postcode, in any format, is not added twice, unless you choose “Add existing leads again”. Empty fields, and fields that contain only “no”, never match. After an import, all leads are searched for possible duplicates.

## Updating existing leads
“Fill in empty fields of existing leads” adds what is missing; “Replace values of existing leads” also replaces other values. A row updates a lead only if it matches no other lead. Start a trial run first: it shows how many leads would change, and the first changes with the values before and after. Owners, results, dates and “Do not call” never change. Nor do the numbers of a lead marked “Do not call”, an e-mail address that has opted out, or an e-mail field that contains “no”. A lead that somebody works on, or has changed since the trial run, is left as it is. Each change is noted in the lead’s timeline.

## The report
The report lists duplicates, rejected rows, updated leads, and incomplete leads: those added without a phone number, and those whose invalid e-mail address was not imported. “Download the report” saves these rows with all columns of your file and the reason. Correct them and import the report: its own columns are left out. After 90 days the report has only the reasons.

## Undo
You can undo a complete import. Leads that somebody has worked on are not removed, and changed values are restored unless somebody has changed them again.`,
  },
  {
    slug: 'duplicates',
    title: 'Duplicates and merging',
    summary: 'Finding, merging and separating duplicate leads, and undoing a merge',
    allow: 'ROLE_STAFF',
    text: `## What counts as a duplicate
Two leads are possible duplicates if they have the same company number, telephone number, e-mail address or company name, in any format: *Smith & Sons Ltd* and *SMITH AND SONS* match, and so do 01632 960123 and +44 (0)1632 960123. Names that differ in a few letters are listed too. Empty fields, and fields that contain only “no”, never match.

## On a lead
Possible duplicates are shown above the lead’s details. “Merge…” compares the two leads side by side. Press M to compare with the most likely duplicate.

## All leads
Go to Sales > Leads > Possible duplicates. All leads are searched every night and after each import. Lead administrators can also choose “Find duplicates”; the search runs in the background. Possible duplicates are added to the list, most likely first.

## Merging
Choose which lead to keep, and for each field which value to keep. The notes, calls, sales, quotes, people, files, letters and billing customer of both leads then belong to the remaining lead. Nothing is lost: a contact person, number or e-mail address that you don’t choose is saved under the other people of the remaining lead. Searches for duplicates also match the company name and number of the merged lead. If somebody changes one of the two leads in the meantime, you are asked to check the preview again. Leads with two different billing customers can’t be merged.

## Keep separate
“Keep separate” marks the two leads as separate. They will not be shown as possible duplicates again.

## Undoing a merge
The person who merged the leads, and lead administrators, can undo a merge within 30 days; the button is at the end of the lead’s details. Everything that came from the other lead is returned to it, and people that the merge added are removed again. Later entries stay with the remaining lead. If something can’t be restored completely, a message gives the reason.`,
  },
  {
    slug: 'do-not-call',
    title: 'Do not call',
    summary: 'Opt-outs by telephone number, the TPS and CTPS, and the law',
    allow: 'ROLE_STAFF',
    text: `## When somebody opts out
Choose the outcome “Dead”, or switch on “Do not call” in the lead’s details. The lead’s numbers are added to the list under Sales > Leads > Do not call. The list shows who recorded each number and when. Every lead with one of these numbers is blocked immediately. Leads with these numbers that are entered or imported later are blocked too. The call queue excludes blocked leads.

You can also add a number manually when somebody writes or calls in.

## Lifting
Only lead administrators can lift an entry, with a reason. The entry remains as evidence.

## Evidence
Export the list as CSV or XLSX. It shows who opted out and when, and who lifted each entry and why.

## TPS and CTPS
Lead administrators import screening results as a CSV file, with the day on which the registers were checked: one telephone number per line, followed by TPS, CTPS, yes, no or nothing. A number on a register is blocked until a later screening shows that it is on neither register. Unreadable lines are reported with their line numbers.

If “Numbers are screened against the TPS and CTPS before they are called” is switched on under Sales > Leads > Do not call, a UK number that was never checked, or was last checked more than 28 days ago, can’t be called until it is checked.

## The law
The Privacy and Electronic Communications Regulations 2003 (SI 2003/2426), regulation 21: sales calls are not allowed to anybody who has objected, nor to a number that has been on the register for 28 days or more, unless its subscriber has said that they do not object. The register is the TPS for individuals, sole traders and most partnerships, and since 2004 (SI 2004/1039) the CTPS for companies. This is a summary and not legal advice; the Information Commissioner’s Office explains it in its guidance on live marketing calls.`,
  },
] satisfies HelpArticleSource[]
