import type { HelpArticleSource } from '#web/shell/manifest/article.ts'
import { HR_ROLES } from '../rights.ts'
import { contractNav } from './nav.ts'

export default [
  {
    slug: 'sign-contracts',
    title: 'Signing a contract',
    summary: 'Read, sign or decline a contract, and get its PDF',
    allow: contractNav.contracts.allow,
    text: `## Sign
A contract for you to sign is listed in My-Task under “To sign”, and under People > Contracts. Read it to the end. Draw your signature or type your name, then choose “Sign”. You sign exactly the text on the screen: nobody can change it afterwards.
“Decline” asks for a reason, which your company reads. A declined contract can’t be signed any more.

## Countersign
Another person of your company signs after the employee. Nobody countersigns their own contract.

## PDF
Once both sides have signed, “Open PDF” shows the contract with both signatures and an audit page: who signed, when, by which method and on which device. Without an account, you get an e-mail with a link to the PDF, which works for 30 days.`,
  },
  {
    slug: 'send-contracts',
    title: 'Sending contracts',
    summary: 'Write templates, send contracts to one employee or a group, and follow who has signed',
    allow: HR_ROLES,
    text: `## Templates
Under People > Contracts > Contract templates, write the text once. Fields such as {{forename}} or {{start date}} are filled in when the contract is sent. A template with an unknown field can’t be saved. Each change of the text is a new version; contracts that were sent stay as they are.
Mark a template as “Written statement of particulars” if it contains what the Employment Rights Act 1996, section 1, requires. People > Employees > Overview counts employees in service without a complete one, and shows the first day of new starters, on which it is due.

## Send
“Send contract” asks for the template, one employee or a group, the countersigner and the days to sign. The preview shows who gets the contract, and names everybody who does not: a value that the text needs is missing, there is neither an account nor an e-mail address, or they already have this version.
Employees with an account sign in My-Task or in the portal. The others get an e-mail with a link of their own. A link is never sent to the address of the sender or the countersigner. E-mails beyond your company’s daily limit follow on the next days.
“Also send to future joiners” sends the version of the day to everybody who joins the company, department or site later. “Stop for joiners” under Progress ends that.

## Follow
Under People > Contracts > Progress you see how many have signed. Click a row to open the contracts. “Sent” means that the employee has it in My-Task, or that a mail server accepted the e-mail. Employees are reminded three days before the last day and on the last day. After it, the contract expires.
In a contract, “Send again” sends a new link, which ends the earlier one, or notifies the employee again, and moves the last day if you enter days. “Change countersigner” is for a colleague who has left. “Cancel contract” needs a reason; the link no longer works.`,
  },
] satisfies readonly HelpArticleSource[]
