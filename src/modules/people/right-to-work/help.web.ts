import type { HelpArticleSource } from '#web/shell/manifest/article.ts'
import { rightToWorkNav } from './nav.ts'

export default [
  {
    slug: 'right-to-work',
    title: 'Right-to-work checks',
    summary: 'Record a check, repeat it in time, and destroy it two years after the employment',
    allow: rightToWorkNav.list.allow,
    text: `## Record a check
Go to People > Right to work, open the employee and choose “Record check”. The role “Private employee details” is needed. Choose the method first: the form then offers the documents that this method accepts. An identity service provider accepts only British and Irish passports that have not expired. Biometric residence permits prove nothing: ask for a share code.
Add a copy of the document. Only people with the role open it, and each opening is logged for your company’s administrators.

## Before the first day
The portal compares the day of the check with the first day of employment. A check on or after that day is stored, but is no statutory defence for the time before it. The list and the record state this.

## Check again
Documents of list A need no further check. For list B, group 1, the defence ends with the permission; for group 2, six months after the date of the Positive Verification Notice. People with the role are reminded 60, 30 and 7 days before and on the day. An overdue check is red. The portal blocks nothing.

## Corrections
A check never changes. “Correct this check” records a new one with a reason. The wrong one remains, marked as corrected.

## Share codes
A share code is deleted 90 days after the check. The rest of the check remains.

## After the employment
Checks are stored for two years after the last day. Then the portal asks human resources and administrators to confirm that they are destroyed. The person who confirms is neither the former employee nor someone who recorded one of the checks. Details and copies are destroyed; a sealed certificate with name, time, number and fingerprint remains. Backups of the portal hold the data until they are replaced.`,
  },
] satisfies readonly HelpArticleSource[]
