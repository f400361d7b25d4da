import type { HelpArticleSource } from '#web/shell/manifest/article.ts'

export default [
  {
    slug: 'calling-leads',
    title: 'Calling leads',
    summary: 'The list, the call queue, outcomes and undo',
    allow: 'ROLE_STAFF',
    text: `## Start
Choose “Start calling” on the dashboard or above the lead list. You get the lead that is most due, reserved for you for ten minutes and renewed while the page is open. Nobody else gets the same lead.

## The list
The tabs are the categories, each with its number of leads. Overdue callbacks come first. Search finds parts of names, several words in any order, telephone numbers in any format, and company numbers.

## The call
1. Read why this lead is next, and its timeline.
2. Call the number. The timer starts.
3. Write a note if needed.
4. Choose the outcome of the call with the mouse or its number key. Each outcome shows the date that it will set; those that need a date ask for it.

The next lead opens automatically. At the end of the list you return to it.

## Undo
For ten seconds after an outcome you can undo it, from the message or with Ctrl Z. The lead, its note and its dates are restored.

## How numbers are dialled
Under My profile, choose how this device dials: with its own telephone, by SIP, or with the URL of a softphone.

## Call after 5
A lead that asked to be called after five is in everybody’s call queue from 17:00 in London until the end of the day.

## Away
While somebody is away (Staff, Away until), their callbacks go to the team.

## Other outcomes
Lead administrators change the outcomes under Settings, Outcomes of calls. A lead that you have open keeps its outcomes; if one of them has changed, a message says so, and nothing is lost.

## Do not call
A lead that must not be called shows this next to the number, and so does every other lead with that number.`,
  },
  {
    slug: 'leads-of-a-team',
    title: 'Team leads',
    summary: 'Assigning leads, taking over leads of leavers, access to leads',
    allow: 'ROLE_LEADS_ADMIN',
    text: `## Assigning leads
In the list of leads, select rows and choose “Assign leads”, or choose it above the list for everything that the list finds. A preview shows how many each person would get: divided evenly, up to “Maximum leads” on their page under Staff, and none for staff who are away. You can undo it.

## When somebody leaves
Retiring an account, or a record under Staff, asks who takes over the leads: a colleague, or nobody in particular. Agreed callbacks remain.

## Access to leads
Under Sales, “Access to leads”, callers can be limited to their own and unassigned leads.

## Trays
Leads in trays are not in the list, unless its owner filter names the tray or a search finds them.`,
  },
  {
    slug: 'site-visits',
    title: 'Site visits',
    summary: 'Planning a visit, notifying the client, and the report',
    allow: ['ROLE_SAFETY_ADMIN', 'ROLE_CLIENTS_ADMIN'],
    text: `## Planning a visit
Clients, Site visits, “Plan a visit”: choose the client, and the place, contact person and e-mail address are filled in. Nobody can be planned for two clients at the same time. “My site visits” is your own diary, in date order.

## Notifying the client
Open an upcoming visit and choose “Notify the client by e-mail”.

## The report
Once a visit has started, “Write the report…” completes it. Tick the box to send the report to the client. A report can’t be changed afterwards.`,
  },
  {
    slug: 'e-mails-to-leads',
    title: 'E-mails to leads',
    summary: 'Templates, delivery, replies and opt-outs',
    allow: 'ROLE_STAFF',
    text: `## Write an e-mail
On a lead with an e-mail address, choose “Write an e-mail”. Start with a template or your own text, open “Preview”, and fill in any missing values. Only then can it be sent.

## Delivery
E-mails lists every e-mail that you may see. A returned e-mail shows the reason. “Perhaps sent” means that the mail server did not confirm it: such an e-mail is never resent automatically. Open an e-mail to read it and its replies, or to resend it.

## Opt-outs
Each e-mail has a link by which its recipient can opt out. From then on nobody can send to that address, in a batch either, until a mail administrator lifts the opt-out with a reason. All of them are under Sales, “Opt-outs”, where you can also add them by hand.

## Sending to many leads
Mail and lead administrators select leads in the list, or everything it finds, and then choose “E-mail”. Check the e-mail with “Preview”, then send it. Each address gets one e-mail. Excluded leads are listed with the reason. “Background jobs” shows the progress and resumes what was stopped.`,
  },
  {
    slug: 'letters-by-post',
    title: 'Letters by post',
    summary: 'Templates with fields, one PDF for many leads, and a copy for each lead',
    allow: 'ROLE_STAFF',
    text: `## Templates
Under Mail, Letters by post. Mail and lead administrators write letters once, with fields such as {{first name}}, or {{first name|there}} with a default value. Choose a lead under “Preview for” to see the letter as that lead would get it. Unknown fields are refused, and a letter is never printed with a gap.

## For one lead
Open the lead and choose “Print a letter”. It is saved in the lead’s timeline, where “Open” shows it again.

## For many leads
Mail and lead administrators select leads in the list, or everything it finds, and then choose “Letter”. All letters are in one PDF. Leads without an address, with an opt-out or with a missing value are excluded and listed.

## Opt-outs
Under Sales, “Opt-outs”, “By post”. Leads that have opted out of e-mails get no letters by post either.`,
  },
  {
    slug: 'support-minutes',
    title: 'Support minutes',
    summary: 'Support time per client in the last 12 months',
    allow: 'ROLE_STAFF',
    text: 'Under Clients, Support minutes. The minutes come from notes and outcomes on leads that are clients. Each number opens its notes. “CSV file” saves the totals.',
  },
  {
    slug: 'import',
    title: 'Importing leads',
    summary: 'From a CSV file, with a trial run, a report of duplicates, and undo',
    allow: 'ROLE_STAFF',
    text: `Under Sales, Import leads. For lead administrators only.

## The file
Any CSV file of up to 100,000 rows, with a heading row. Commas or semicolons, with or without quotation marks.

## The steps
1. Choose the file.
2. Assign the columns to fields. Recognised columns are filled in.
3. Start a trial run: it changes nothing, and shows how many leads are new, how many already exist and which rows have errors.
4. Import. You can close the page; the import continues.

## Duplicates
A lead that matches an existing one by company number, telephone number or e-mail address, in any format, is not added twice. “No” and empty fields never match.

## Undo
You can undo a whole import.`,
  },
  {
    slug: 'duplicates',
    title: 'Duplicates and merging',
    summary: 'Finding duplicate leads, merging them, keeping them separate, undoing a merge',
    allow: 'ROLE_STAFF',
    text: `## What is a duplicate
Two leads with the same company number, telephone number, e-mail address or company name, in any format: *Smith & Sons Ltd* and *SMITH AND SONS* match, and so do 01632 960123 and +44 (0)1632 960123. Names that differ in a few letters are listed too. “No” and empty fields never match.

## On a lead
Possible duplicates are shown above its details. “Merge…” (or M, for the most likely one) compares both side by side.

## All leads
Under Sales, Possible duplicates. Lead administrators choose “Find duplicates”; the search runs in the background and adds to the list, most likely first.

## Merging
Choose which lead to keep, and for each field which value to keep. Notes, calls, sales, quotes, people, files, letters and the billing customer of both belong to the remaining lead. If somebody changes one of the two meanwhile, you are asked to check again. Leads with two different billing customers can’t be merged.

## Keep separate
Marks the two as separate. They are not shown as possible duplicates again.

## Undoing a merge
Possible for 30 days, at the end of the lead’s details, for the person who merged and for lead administrators. The other lead gets back everything that came with it; later entries remain. If something can’t be restored completely, a message gives the reason.`,
  },
  {
    slug: 'do-not-call',
    title: 'Do not call',
    summary: 'Opt-outs by number, the TPS and CTPS, and the law',
    allow: 'ROLE_STAFF',
    text: `## When somebody opts out
Choose the outcome “Dead”, or switch on “Do not call” in the lead’s details. Their numbers are added to the list under Sales, Do not call, with who recorded it and when. Every lead with one of these numbers is locked at once, and so is every lead added later, typed or imported. The call queue excludes them.

You can also add a number by hand, when somebody writes or calls in.

## Lifting
Only lead administrators can lift an entry, with a reason. The entry remains as evidence.

## Evidence
Export the list as CSV or XLSX: who opted out when, who lifted it and why.

## TPS and CTPS
Lead administrators import screening results as a CSV file, with the day on which the registers were checked: one telephone number per line, followed by TPS, CTPS, yes, no or nothing. Numbers on a register are locked until a later screening finds them on none. Unreadable lines are reported with their numbers.

If “Numbers are screened” is switched on there, a UK number that was never checked, or more than 28 days ago, can’t be called until it is.

## The law
The Privacy and Electronic Communications Regulations 2003 (SI 2003/2426), regulation 21: sales calls are not allowed to anybody who has objected, nor to a number that has been on the register for 28 days or more, unless its subscriber has said that they do not object. The register is the TPS for individuals, sole traders and most partnerships, and since 2004 (SI 2004/1039) the CTPS for companies. This is a summary and not legal advice; the Information Commissioner’s Office explains it in its guidance on live marketing calls.`,
  },
] satisfies HelpArticleSource[]
