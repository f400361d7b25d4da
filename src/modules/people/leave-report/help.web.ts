import type { HelpArticleSource } from '#web/shell/manifest/article.ts'
import { leaveNav } from '../leave/nav.ts'

export default [
  {
    slug: 'leave',
    title: 'Leave',
    summary: 'Requesting and deciding on leave, and how a balance is calculated',
    allow: leaveNav.calendar.allow,
    text: `## Requesting leave
Go to People > Leave and choose “Request leave”. A request can have several parts: whole days, the first or second half of a day, or hours. Before you send it, you see the working time it takes, the balance after it, absent colleagues, bank holidays and days on which no leave can be requested. Sending is the only way to save a request. Requests that wait are deducted from the balance.
You can withdraw a request that waits. Approved leave can be cancelled before it starts, if your company allows it.

Choose the kind of leave first: for jury service, maternity, carer’s and other leave the page shows what the law gives, the service and notice that it needs, and the source. Before you send it, you see whether each condition is met on these dates, or which fact is missing. Nothing is refused for it, and nothing is deducted. Your approver sees the kind and the dates, only you and human resources the details; colleagues and other managers see that you are busy.

## Deciding on leave
The approver and the deputy of the department decide; without an approver, the manager. Human resources can decide on all requests. The first decision counts. Nobody decides on their own leave. Declining needs a reason, and returns the leave to the balance.

## The balance
The balance of a leave year is the sum of the rows of the leave ledger. Under Leave > Leave report, choose an employee to see each row with its formula. Leave is stored in minutes of the employee’s own shifts; days and hours are display only.
Statutory leave is 5.6 weeks, at most 28 days (Working Time Regulations 1998, regulations 13 and 13A). People who start or leave within the year have the proportion of its days, rounded up to a whole minute. For irregular hours and part-year workers it is 12.07 % of the hours of each pay period, to the nearest hour.
If a work pattern, a start or leaving date or a rule of the company changes, the portal appends rows with the difference. No row is ever changed or deleted.

## Carry-over
By agreement, only the 1.6 weeks of regulation 13A and additional leave are carried over, up to the limit in Leave settings. Human resources carry over the four weeks of regulation 13 for the reasons of the law: sickness (18 months), family leave, or because the employer did not let it be taken.

## Records
“Record of this year” is the record that regulation 16B requires for six years: entitlement, leave taken, carried over and paid in lieu, with every row. Holiday pay is not part of the portal: store it with payroll.

## Sickness
Under Leave > Leave report, “Record sickness” stores the days. People with the role for private details add the fit note as a file to the absence: only they can open it, and each opening is logged. Under Leave settings, human resources set a Bradford score or a number of spells in 52 weeks. When an absence reaches it, human resources and the manager are notified, without the reason. Absences related to a disability or pregnancy are not counted.
Sickness of an employee who was injured in an accident is shown with the incident. It counts towards the report under RIDDOR once a person confirms the days there.

## Calendar
The calendar shows your people with kind and status, and colleagues of your department as busy. “Calendar feed” creates a secret address for a calendar program. Replace or withdraw it at any time.`,
  },
] satisfies readonly HelpArticleSource[]
