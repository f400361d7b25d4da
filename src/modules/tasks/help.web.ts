import type { HelpArticleSource } from '#web/shell/manifest/article.ts'
import { tasksNav } from './nav.ts'

export default [
  {
    slug: 'my-task',
    title: 'My-Task',
    summary: 'All your tasks on one page, made for a phone',
    allow: tasksNav.mine.allow,
    text: `## What is there
My-Task lists the documents and talks that you are asked to sign, documents in force that you have not signed, forms that you have to complete, tasks of checklists for starters and leavers, and your leave. At the foot of the screen you report an accident or a near miss.
Employees without another role start there after signing in. Everybody else opens it under Home > My-Task, and returns with “Portal”.

## On your phone
Add My-Task to the home screen from your browser’s menu. It opens without a connection: documents that you have opened before can be read and signed, and forms and reports completed. All of it is stored on your phone and sent when the connection is back. “Not sent yet” marks what is still on your phone. If you sign out meanwhile, My-Task warns you.

## Easier to read
“Size of text” at the foot of My-Task enlarges the text of the whole portal on this device. “Read aloud” reads the page in your browser’s own voice; it is absent if your browser has none.`,
  },
] satisfies readonly HelpArticleSource[]
