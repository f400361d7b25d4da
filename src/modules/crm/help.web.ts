import type { Article } from '#web/shell/manifest/article.ts'

export default [
  {
    slug: 'calling-leads',
    title: 'Calling leads',
    summary: 'The list, the queue, outcomes and undo',
    allow: 'ROLE_STAFF',
    text: `## Begin
Choose “Start calling” on the dashboard or above the lead list. The portal gives you the lead that is most due, and keeps it for you for ten minutes, renewed while the page is open. Nobody else gets the same one.

## The list
The tabs are the categories, each with the number of leads in it. Overdue callbacks come first. Search finds parts of names, several words in any order, telephone numbers in any format, and company numbers.

## The call
1. Read why this lead is next, and what was said before.
2. Ring the number. The clock starts.
3. Write a note if there is something to remember.
4. Choose how the call ended, with the mouse or with its number key. Each outcome shows the date that it will set; those that need a date ask for it.

The next lead opens by itself. When the list is at its end you are back at the list.

## Undo
For ten seconds after an outcome you can take it back, from the notice or with Ctrl Z. The lead, its note and its dates are then as they were.

## How a number is rung
Under My profile, say how this device rings: by its own telephone, by SIP, or by the address of a softphone.

## Call after 5
A lead that asked to be rung after five comes to everybody’s queue from 17:00 in London until the day is over.

## Away
While somebody is away (Staff, Away until), what they agreed to ring comes to the team.

## Other outcomes
Whoever looks after leads changes what the keys do, under Settings, Outcomes of calls. A lead that you have open keeps its keys as they were; if one of them has changed, you are told, and nothing is lost.

## Do not call
A lead that must not be called shows it before the number, and so does every other lead with that number.`,
  },
  {
    slug: 'leads-of-a-team',
    title: 'Leads of a team',
    summary: 'Giving leads out, taking over those of who leaves, who sees which',
    allow: 'ROLE_LEADS_ADMIN',
    text: `## Giving leads out
In the list of leads, choose rows and “Give out”, or press “Give out” above the list for all that it finds. The portal shows how many each would get before anything is done: evenly, no further than “Most leads” on their page under Staff, and nothing to whoever is away. It can be taken back.

## When somebody leaves
Retiring an account, or a record under Staff, asks who takes the leads over: a colleague, or nobody in particular. Callbacks stay as they were agreed.

## Who sees which leads
Under Sales, “Who sees which leads”, callers can be kept to their own leads and those that nobody has.

## Trays
Leads in trays are left out of the list, unless its owner filter names the tray, or a search finds them.`,
  },
  {
    slug: 'site-visits',
    title: 'Site visits',
    summary: 'Planning one, telling the client, and its report',
    allow: ['ROLE_SAFETY_ADMIN', 'ROLE_CLIENTS_ADMIN'],
    text: `## Planning one
Clients, Site visits, “Plan a visit”: choose the client, and where, whom to ask for and the e-mail address are filled in. Nobody is planned to be at two clients at once. “My site visits” is your own diary, in the order of your days.

## Telling the client
Open a visit that is to come, and choose “Tell the client by e-mail”.

## The report
Once a visit has begun, “Write the report…” ends it. Tick the box to send the report to the client. What was written stays.`,
  },
  {
    slug: 'e-mails-to-leads',
    title: 'E-mails to leads',
    summary: 'Templates, what became of a letter, answers, and who wants none',
    allow: 'ROLE_STAFF',
    text: `## Write one
On a lead with an e-mail address, choose “Write an e-mail”. Begin with a template or in your own words, look at it with “Preview”, and say what is not known. Only then can it be sent.

## What became of it
E-mails shows every letter that you may see. One that came back says why. “Perhaps sent” means that the mail server did not say whether it took it: the portal never sends that again by itself. Open a letter to read it and its answers, or to send it again.

## Who wants none
Each letter has a link by which its reader says that they want no more. From then on nobody can write to that address, in a batch either, until a mail administrator lifts it with a reason. All of them are under Sales, “Who wants no letters”, where they are entered by hand too.

## To many at once
Mail and leads administrators choose leads in the list, or all that it finds, and then “E-mail”. Look at the letter with “Preview”, then send it. Each address gets one. Who is left out is named, with the reason. “Long work” has it all, and goes on with what was stopped.`,
  },
  {
    slug: 'letters-by-post',
    title: 'Letters by post',
    summary: 'Words with fields, one PDF for many leads, and what each lead got',
    allow: 'ROLE_STAFF',
    text: `## The words
Under Mail, Letters by post. Mail and leads administrators write letters once, with fields such as {{first name}}, or {{first name|there}} with what stands there without one. Choose a lead under “Preview for” to see it as that lead would get it. A field that does not exist is refused, and a letter is never printed with a gap.

## For one lead
Open the lead and choose “Print a letter”. It is kept on the lead’s timeline, and “Open” there shows it again.

## For many
Mail and leads administrators choose leads in the list, or all that it finds, and then “Letter”. All letters come as one PDF. Leads without an address, those who want no letters and those of whom a field is not known are left out, and named.

## Who wants none
Under Sales, “Who wants no letters”, “By post”. Who has said no to e-mails gets no letters by post either.`,
  },
  {
    slug: 'support-minutes',
    title: 'Support minutes',
    summary: 'How much time each client took in the last 12 months',
    allow: 'ROLE_STAFF',
    text: `Under Clients, Support minutes. The minutes are those that notes and outcomes say, on leads that are clients. Each number opens its notes. “CSV file” saves the sums.`,
  },
  {
    slug: 'import',
    title: 'Importing leads',
    summary: 'From a CSV file, with a trial run, a report of duplicates, and undo',
    allow: 'ROLE_STAFF',
    text: `Under Sales, Import leads. It needs the right to administer leads.

## The file
Any CSV file of up to 100,000 rows, with a heading row. Commas or semicolons, with or without quotation marks.

## The steps
1. Choose the file.
2. Say which column is what. Columns that are recognised are filled in.
3. Do a trial run: it changes nothing, and reports how many leads are new, how many exist already and which rows have something wrong.
4. Import. You can close the page; it goes on.

## Duplicates
A lead that matches an existing one by company number, telephone or e-mail, however it is written, is not added twice. “No” and empty fields never match.

## Undo
A whole import can be taken back.`,
  },
  {
    slug: 'duplicates',
    title: 'Duplicates and merging',
    summary: 'Leads that are there twice: finding, merging, keeping separate, taking back',
    allow: 'ROLE_STAFF',
    text: `## What is a duplicate
Two leads with the same company number, telephone number, e-mail address or company name, however these are written: *Smith & Sons Ltd* and *SMITH AND SONS* are one, and so are 01632 960123 and +44 (0)1632 960123. Names that differ in a few letters are said as well. “No” and empty fields never match.

## On a lead
Possible duplicates stand above its details. “Merge…” (or M, for the likeliest) puts both side by side.

## All leads
Under Sales, Duplicates. Who administers leads chooses “Look for duplicates”; it goes on by itself, and what is found comes into the list, the surest first.

## Merging
Choose which lead is kept, and for each value which one stays. Notes, calls, sales, quotes, people, files, letters and the billing customer of both stay with the lead that is kept. If somebody changes one of the two meanwhile, you are asked to look again. Two billing customers are not merged.

## Keep separate
Says that the two are two. They are not shown as duplicates again.

## Taking a merge back
For 30 days, at the foot of the lead’s details: by whoever merged, or who administers leads. The other lead gets back what came with it; what was written since stays. Where that can’t be whole any more, the reason is said.`,
  },
  {
    slug: 'do-not-call',
    title: 'Who must not be rung',
    summary: 'Objections by number, the TPS and CTPS, and what the law says',
    allow: 'ROLE_STAFF',
    text: `## When somebody objects
Choose the outcome “Dead”, or switch “Do not call” on in the lead’s details. Their numbers go on the list under Sales, Do not call, with who recorded it and when. Every lead with one of these numbers is locked at once, and so is every lead that comes with it later, typed or imported. The queue leaves them out.

A number can also be added by hand, when somebody writes or rings in.

## Lifting
Only who administers leads, with a reason. The entry stays as evidence.

## Evidence
Export the list as CSV or XLSX: who objected when, who lifted it and why.

## TPS and CTPS
Who administers leads takes in the results of a screening as a CSV file, with the day on which the registers answered: a telephone number in each line, and beside it TPS, CTPS, yes, no or nothing. Numbers on a register are locked until a later screening finds them on none. Lines that are not understood are told with their numbers.

Where “Numbers are screened” is switched on there, a UK number that was never looked up, or more than 28 days ago, can’t be rung until it is.

## The law
The Privacy and Electronic Communications Regulations 2003 (SI 2003/2426), regulation 21: nobody makes sales calls to somebody who has told them not to, nor to a number that has been on the register for 28 days or more, unless its subscriber has told them that they do not object. The register is the TPS for individuals, sole traders and most partnerships, and since 2004 (SI 2004/1039) the CTPS for companies. This is a summary and no legal advice; the Information Commissioner’s Office explains it in its guidance on live marketing calls.`,
  },
] satisfies Article[]
