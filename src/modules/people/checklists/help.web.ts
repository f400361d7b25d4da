import type { HelpArticleSource } from '#web/shell/manifest/article.ts'
import { checklistNav } from './nav.ts'

export default [
  {
    slug: 'starter-and-leaver-checklists',
    title: 'Checklists for starters and leavers',
    summary: 'Tasks before and after a first or last day, and their owners',
    allow: checklistNav.list.allow,
    text: `## Tasks
Go to People > Checklists. Each task has an owner: human resources, the manager, the employee, or a named person. Its owner, or human resources, marks it as done; the portal records who and when. “Mark as not done” asks for a reason. Overdue tasks are red. Your own open tasks are also listed in My-Task, and you are reminded a week before, on the day, and a week after.

## Templates
Human resources add templates under People > Checklists > Checklist templates. A task is due a number of days before or after the first or last day of employment. It may name a file.
A template is copied when a checklist starts: later changes of the template don’t affect it. If the first or last day changes, open tasks move with it.

## Starters
“Add starter” adds an employee together with a checklist. “Start a checklist” starts one for an employee who has been added already.

## Leavers
A company has one template for leavers. When a last day is entered, in whatever way, the checklist starts. It ends if the employee stays.`,
  },
] satisfies readonly HelpArticleSource[]
