import type { HelpArticleSource } from '#web/shell/manifest/article.ts'
import { trainingNav } from './nav.ts'
import { STAFF_ROLE, TRAINING_ROLES } from './rights.ts'

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

## Several certificates at once
Under People > Training > Certificates, add the files. Their text proposes people, courses and dates beside each file. Press a proposal to fill it in, enter the rest, and record the training with the file as its proof. Nothing is filled in or recorded without you, and a file whose text can’t be read says so.

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
  {
    slug: 'training-sessions',
    title: 'Training sessions',
    summary: 'Book seats in sessions of the provider, wait for a seat, and record attendance',
    allow: [...TRAINING_ROLES, STAFF_ROLE],
    text: `## Book a seat
Go to People > Training > Sessions, open a session and choose “Book a seat”. The session counts as your company’s copy of its course; without one, it is copied from the catalogue. If your company already has a course of that name, choose which course the session counts as. A seat is entered in the training plan as booked, which ends the reminders of that course.

## Waiting list
If a session is full, or others wait already, the person joins the waiting list. A free seat goes to the first person in the list, of whichever company. The person gets the joining e-mail and you get a notification. If the session is moved or cancelled, people with an e-mail address are notified too.

## Hold a session
Provider staff hold sessions under Clients > Training sessions. The number of seats can’t fall below the seats taken. To book for a client, work as one of its users. “Quote” creates a draft quote for the seats of a client, which is checked and sent like any other quote.

## Attendance
Once a session has started, record the attendance of each person. Everybody except absent people gets a training record in their company at the same moment. Nobody counts as having taken part until it is recorded. A correction needs a reason, and is a further record.`,
  },
] satisfies readonly HelpArticleSource[]
