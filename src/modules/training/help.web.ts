import type { HelpArticleSource } from '#web/shell/manifest/article.ts'
import { trainingNav } from './nav.ts'

export default [
  {
    slug: 'training-matrix',
    title: 'Training matrix',
    summary: 'See the gaps, and who was competent on any day',
    allow: trainingNav.matrix.allow,
    text: `## Gaps first
Go to People > Training. “Gaps” lists training that is needed and has expired or never took place, the oldest gap first. “Matrix” shows people and courses. You see your own training and that of the people who report to you; the role “Training” and administrators see everybody.
Each mark has words: in date, due within 90 days, expired, never. An empty cell means that the person does not need the course. Arrow keys move between cells, and Enter opens the records of one. On a phone, the matrix shows one person at a time.

## Any day
“On the day” shows the matrix of any past or coming day, with the jobs that people had on that day. Corrections count whenever they were entered.

## Export
“Export” saves what the filters show as CSV, Excel or PDF. It remains available after the product has lapsed.`,
  },
  {
    slug: 'training-records',
    title: 'Recording training',
    summary: 'Record courses with certificates, for one person or a group, and correct a record',
    allow: trainingNav.courses.allow,
    text: `## Courses and requirements
Under People > Training > Courses, copy courses from the catalogue, or add your own. Under Requirements, state who needs a course: everybody, a job title, a department, a site or a person. A course is valid for a number of months, or is retaken each year by a fixed day; a pass shortly before that day can count for the coming year. A requirement has a first day, days of grace and a reason: a duty by law, a contract or a risk assessment. It does not change afterwards: end it and add another, so that past days stay as they were.

## Record
“Record training” records one person, “Record a group” one course for many people. “Valid until” follows from the course; another day needs a reason. Add the certificate as a file. You record your own training only with a certificate.

## Correct
A record never changes. Open its cell in the matrix and choose “Correct this record”: a further record replaces it, with a reason. “Recorded in error” is the result for a record that should not exist. Every record and every certificate is sealed in the evidence of your company.`,
  },
  {
    slug: 'training-plan',
    title: 'Training plan and reminders',
    summary: 'Plan and book training with its cost, and be reminded before it expires',
    allow: trainingNav.plan.allow,
    text: `## Plan and cost
Go to People > Training > Plan and choose the year. “Not planned yet” lists training that is missing or expires by the end of the year. “Plan” enters a day, the cost and the provider. The cost by person counts only costs that are known. Planned training is done once its training record exists.

## Reminders
People, and the people with the role “Training” or else the manager, get a reminder 90, 60 and 30 days before training expires, and on the last day. All reminders of a day are in one daily e-mail. There is none for a course whose status is “Booked”, or that is renewed already.`,
  },
] satisfies readonly HelpArticleSource[]
