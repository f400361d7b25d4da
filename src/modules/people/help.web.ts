import type { HelpArticleSource } from '#web/shell/manifest/article.ts'
import { handbookInfo } from './handbooks/handbook-infos.ts'
import { peopleNav } from './nav.ts'
import { HR_ROLES } from './rights.ts'

export default [
  {
    slug: 'employee-records',
    title: 'Employee records',
    summary: 'Who sees what about an employee, and how a record changes over time',
    allow: peopleNav.employees.allow,
    text: `## Who sees a record
Go to People > Employees. You see your own record, the records of everybody who reports to you at any distance, and the departments of which you are head or deputy. Human resources and your company’s administrators see everybody.
Addresses, dates of birth and emergency contacts are visible only to human resources and to the employee. Bank details and National Insurance numbers need a role of their own. Each access is logged in the record.

## Search
“Employee Search” searches by forename, surname and e-mail address. Tick “Retired?” to find people who have left. “Reset Search” shows everybody in service again.`,
  },
  {
    slug: 'manage-employees',
    title: 'Managing employees',
    summary: 'Add people, change jobs from a day, and retire people who leave',
    allow: HR_ROLES,
    text: `## Add
Choose “Add employee” under People > Employees and enter the essentials. “Edit” in the record has all other details.

Under People > Employees > Import employees, a CSV file or an Excel workbook adds many people at once, or updates their details: match the columns, do a trial run, import; undo takes back the whole file.

## Change a job
“Change job from a day” in the record changes the job title, department, manager or site. A change with a day in the future takes effect on that day. The history shows every job with its first day.
An account’s manager follows the employee’s manager. Change it in the record, not under Users.

## Retire
“Retire” asks for the last day, the reason and the person who takes over. On the last day, or after it if the day is in the future, their sessions end and their account is retired. Direct reports, departments and open corrective actions pass on. Signatures, incidents and other evidence stay.
“Restore” under People > Employees > Retired employees brings a record back. An administrator restores the account under Users.

“Erase identity” in a retired record shows which data remains, and until when each rule forbids erasing. After that day, a person of human resources erases name, contact and private details; the rest remains as “Former employee” with a number.

## Mass update
Under People > Employees > Mass update, select employees, or all that match the filters, and choose what to set: department, manager, site, nation or job title. The dialog shows the present values. Undo restores them. Changes of more than a hundred employees run in the background.

## Overview
People > Employees > Overview counts employees, joiners, leavers and missing details. Click a number to open its rows.

## Match names
Names in risk assessments, corrective actions, talks and the accident book are either chosen from your employees or typed. Under People > Employees > Overview > Match names, “Search for matches” compares the typed names with your employees. A name that one employee has is proposed; a name that several have is listed as ambiguous. Select proposals, or all that are shown, and choose “Confirm” or “Reject”. Confirming links the employee and leaves the text as it was typed. “Undo the decision” removes the link.
Only drafts and open records are searched. Approved and signed documents keep their text. Injured parties are shown only to people who may read health details.`,
  },
  {
    slug: 'login-details',
    title: 'Login details for employees',
    summary: 'Give employees access by e-mail or letter, and see who has signed in',
    allow: HR_ROLES,
    text: `## One employee
Choose the envelope “Send Login Details” in the row or the record of an employee under People > Employees. The portal creates their account, if they have none, and sends an e-mail with a link to choose a password. The link works once, within 7 days. Login details that you send again replace the earlier link.
An employee without an e-mail address gets a printed letter with a one-time code. The code is shown only in that letter. A new letter replaces it. Hand it over in a closed envelope.

## Many employees
Select employees in the list, or all that match the filters, and choose “Send Login Details”. Before it starts, the portal shows how many e-mails your company’s daily limit allows today and how many follow from tomorrow. It continues automatically every day. People who have already signed in are left out. “Print letters” prints letters for those without an e-mail address, 25 in a file.

## Progress
The filter and column “Login details” of the list show who has opened the link and who has signed in. The record shows the times. “Sent” means that a mail server accepted the e-mail.

## Limits
Nobody who has left gets login details, and their link or code no longer works. An account with further roles gets its link at its own e-mail address only. For employees whose bank details or National Insurance number are stored, you need the role to see them, or an administrator sends the login details. After the first sign-in, a forgotten password is replaced by e-mail or by an administrator under Users, not by a letter.`,
  },
  {
    slug: 'handbooks',
    title: 'Handbooks',
    summary: 'Write the handbook, bring it into force and have it signed',
    allow: handbookInfo.nav.allow,
    text: `## Read and sign
Go to People > Handbook. The handbook in force is for everyone in your company. If you are asked to sign it, it is also among your tasks in My-Task. After a material change, you see what has changed and sign again.

## Write
Human resources and administrators start a new handbook from the list, and enter the introduction and the chapters. “Complete and seal”, then “Approve”, bring it into force. To change it, start the next revision and summarise what has changed. A minor change, such as a telephone number, keeps the signatures.
“Request signatures” asks everyone, a role or chosen people. The handbook shows who has signed and who has not.

## Management handbook
Only managers read it: people to whom others report, heads and deputies of departments, human resources and administrators. It can’t be e-mailed or signed by link. When somebody stops managing, they can no longer open it.

## Downloads and archive
People > Handbook > Downloads lists HR templates of your provider and your company. An administrator marks a folder as “HR templates” in the file manager and makes it visible to human resources. “Retired” lists handbooks that were deleted or withdrawn, with the reason, and retired templates; “Restore” brings them back.`,
  },
] satisfies readonly HelpArticleSource[]
