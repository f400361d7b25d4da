import type { HelpArticleSource } from '#web/shell/manifest/article.ts'
import { assuranceNav } from './nav.ts'

export default [
  {
    slug: 'equipment-register',
    title: 'Equipment register',
    summary: 'Items, their checks, and what happens after a failed check',
    allow: assuranceNav.equipment.allow,
    text: `## Items and their fitness
Go to Documents > Safety overview > Equipment. Each item has a lifecycle (in use, in store, on hire, sold, scrapped) and a fitness. Nobody enters the fitness: it follows from the checks. “No checks required” does not mean that the item is fit.

## Required checks
The category of an item adds its usual check, with the law or guidance. You can add more checks, in months, days or hours of use, and shorten any interval. An interval that is longer than the law allows needs the examination scheme as a file.

## Record a check
Choose “Record a check” on the item. Without connection, the check is saved on your device and sent later. A failed check takes the item out of service at once, creates a corrective action for the holder and notifies them. Only a passed check, recorded by a person with the role “Equipment” or an administrator, returns it to service. “Report a defect” does the same between two checks.

## Reports of external examiners
“Add a report” stores the report as a file with its particulars. For lifting equipment, these are the particulars of LOLER, Schedule 1. If a defect is an immediate danger, the person who examined the item sends a copy of the report to the enforcing authority.

## Correct
A check never changes. “Correct” adds a further check with a reason. A failed check stays failed.

## Labels and batch checks
“Print label” on an item makes a PDF with its QR code. Anybody who scans it sees number, name, fitness and next check, and nothing else. “Batch check” records many checks one after the other: scan a label or type a number, then choose “Passed”. Each check is saved at once.

## Hand over
“Hand over” changes the holder or the site, with the signature of the person who receives the item. An item that is out of service, sold or scrapped is not handed over.`,
  },
] satisfies readonly HelpArticleSource[]
