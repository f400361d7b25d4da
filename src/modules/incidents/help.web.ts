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
Go to Incidents > Accident book and choose “Report an incident”. Report near misses as well. The report gets a number, such as INC-2026-0001, and your company’s administrators are notified. You can open your own reports and see their status.

## 3. Complete the entry
A safety author opens the incident and chooses “Edit”. The entry is saved while you type. Add the injured people and the witnesses, dangerous occurrences, and the risk assessments that concern the work. “Request review” asks for a review of a linked assessment in one press.
Names, health details, statements and photos of other people are visible only to users with the role “Reads health details of incidents”. Each access is logged.

## 4. Decide on RIDDOR
The portal proposes whether the incident must be reported to HSE, and by when. A person decides. In the list, “Clock running” shows the incidents with a deadline.

## 5. Investigate and act
Choose “Start investigation”. Enter the severity that the incident had, the severity it could have had, and how likely it is to happen again: the portal then proposes how deeply to investigate. Raise corrective actions, each with a person responsible and a deadline.

## 6. Close
An administrator chooses “Close”. If something is missing, the portal lists it. A closed entry does not change: “Amend” adds a dated amendment with its reason, and the original text remains. “Delete” asks for a reason, and the entry stays stored.`,
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
