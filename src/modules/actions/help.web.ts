import type { HelpArticleSource } from '#web/shell/manifest/article.ts'
import { actionsNav } from './nav.ts'

export default [
  {
    slug: 'corrective-actions',
    title: 'Corrective actions',
    summary: 'Assign corrective actions and follow them to completion',
    allow: actionsNav.register.allow,
    text: `Go to Documents > Safety overview > Corrective actions to see what your company has to put right. Employees see the actions assigned to them; safety authors and administrators see every action.

## Raise an action
1. Choose “New action” and describe what has to be done.
2. Choose the person responsible: an employee, with or without an account, or another person with an account. For anybody else, enter their name and e-mail address.
3. Enter a deadline, if there is one, and save. The action is given a number, such as CA-0012.
Actions are also raised from an incident, from the defects of a completed form, from a presented talk and from a planned control of a risk assessment: open it and look for “Corrective actions” or “Planned controls”. “Raised from” then shows its number. Deleting it deletes its open actions as well; completed ones stay.
The person is notified immediately, 7 days and 1 day before the deadline, on the day itself, and weekly while the action is overdue.
When a person’s account is retired, administrators and approvers are asked to choose another owner for each of that person’s open actions.

## Complete an action
Open the action. “Start” shows others that the action is in progress; “Await parts or contractor” asks what you are waiting for. Add photos or documents as proof: take a photo or add files. Then choose “Complete” and describe what was done.
Each e-mail to a person without an account contains a link. The link opens only that action, without sign-in. The person can add photos or files, describe what was done and choose “Report as done”. The author of the action is then notified. A link works for 90 days. It stops working earlier if the action is closed or assigned to another owner.

## Verify
A safety author or administrator chooses “Verify”. It must not be the person who completed the action, or the person whose e-mail address received the link. If nobody else in your company can verify the action, you can do so yourself with a reason. “Reopen” returns the action to its owner, with your reason.
If nothing has to be done, choose “No action needed”, with a reason.

## Find actions
Under “Show”, choose “Open”, “Overdue”, “Mine”, “To verify”, “Owner has left” or “Done”. Overdue actions are also on the dashboard. Each action shows its history: who did what, and when.`,
  },
] satisfies readonly HelpArticleSource[]
