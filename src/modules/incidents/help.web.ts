import type { HelpArticleSource } from '#web/shell/manifest/article.ts'
import { incidentsNav } from './nav.ts'

export default [
  {
    slug: 'when-someone-is-hurt',
    title: 'What to do when someone is hurt',
    summary: 'Help first, then report the incident, and follow it until it is closed',
    allow: incidentsNav.book.allow,
    text: `## 1. Help
In an emergency, call 999 first. Make the place safe and give first aid. Do not move anything that shows how the accident happened, unless a person is in danger.

## 2. Report
Go to Incidents > Accident book and choose “Report an incident”. Report near misses as well. The report gets a number, such as INC-2026-0001, and your company’s administrators are notified. Under Accident book > Reporting, an administrator chooses who is notified of which severity, and which questions a reporter must answer. You can open your own reports and see their status.

## 3. Complete the entry
A safety author opens the incident and chooses “Edit”. The entry is saved while you type. Add the injured people and the witnesses, dangerous occurrences, and the risk assessments that concern the work. “Request review” asks for a review of a linked assessment in one press.
To get a statement of a witness without an account, open the witness, choose “Witness Statement” and enter their e-mail address. They get a link to a page that shows the place, the day and their own words only. The statement can’t be changed afterwards, by anybody; you can enter an addition. “Withdraw the link” ends it at once.
Names, health details, statements and photos of other people are visible only to users with the role “Reads health details of incidents”. Each access is logged.

## 4. Decide on RIDDOR
The portal proposes whether the incident must be reported to HSE, and by when. A person decides. In the list, “Clock running” shows the incidents with a deadline.

## 5. Investigate and act
Choose “Start investigation”. Enter the severity that the incident had, the severity it could have had, and how likely it is to happen again: the portal then proposes how deeply to investigate. Raise corrective actions, each with a person responsible and a deadline.

## 6. Close
An administrator chooses “Close”. If something is missing, the portal lists it. A closed entry does not change: “Amend” adds a dated amendment with its reason, and the original text remains. “Delete” asks for a reason, and the entry stays stored.

## 7. Print and export
Under “PDF”, an incident has two documents. The accident record has all health details, and each reading is logged. The anonymous summary has no names, health details or free text, so that you can share what happened. Until the incident is closed, both state on each page that it is not.
“Export with health details” above the accident book makes a CSV file of all incidents that match the list. It asks for a reason, and is logged at each incident. Only users with the role “Reads health details of incidents” can make it.

## Our wording
HSE publishes no official wording for some lists, such as main factors and parts of the body. Such rows are marked “our wording”. An administrator who is competent to do so checks and confirms them under Settings > Safety settings > Composed reference.`,
  },
  {
    slug: 'incident-analysis',
    title: 'Analysis of incidents',
    summary: 'Numbers, rates and the body map, and how they are calculated',
    allow: incidentsNav.analysis.allow,
    text: `## Numbers
Go to Incidents > Analysis. Choose the months, and a site or department if you wish. Below each number is its formula. Click a number to open the incidents that it counts. “Download CSV” saves all numbers as a file.

## Parts of the body and days lost
Users with the role “Reads health details of incidents” see every number, and open the incidents. Each access is logged. Other users see these figures for the last complete year and the whole company, without groups of fewer than three people, so that nobody can be identified.

## Rates
Under “Hours and employees”, an administrator enters the hours worked and the number of employees of each month. The rates are shown once these are entered for every month that is over. Otherwise, the page names the missing months.`,
  },
] satisfies readonly HelpArticleSource[]
