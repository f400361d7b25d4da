import type { Article } from '#web/shell/faces/article.ts'

export default [
  {
    slug: 'calling-leads',
    title: 'Calling leads',
    summary: 'The list, the queue, outcomes and undo',
    allow: 'ROLE_STAFF',
    text: `## Begin
Choose “Start calling” on the dashboard or above the lead list. The portal gives you the lead that is most due, and keeps it for you for ten minutes, renewed while the page is open. Nobody else gets the same one.

## The list
The tabs are the categories, each with the number of leads in it. Overdue callbacks come first. Search finds parts of names, several words in any order, telephone numbers in any format, and company numbers.

## The call
1. Read why this lead is next, and what was said before.
2. Ring the number. The clock starts.
3. Write a note if there is something to remember.
4. Choose how the call ended, with the mouse or with its number key. Each outcome shows the date that it will set; those that need a date ask for it.

The next lead opens by itself. When the list is at its end you are back at the list.

## Undo
For ten seconds after an outcome you can take it back, from the notice or with Ctrl Z. The lead, its note and its dates are then as they were.

## Do not call
A lead marked “do not call” shows it before the number. Leave it marked even if it comes back in an import.`,
  },
  {
    slug: 'import',
    title: 'Importing leads',
    summary: 'From a CSV file, with a trial run, a report of duplicates, and undo',
    allow: 'ROLE_STAFF',
    text: `Under Sales, Import leads. It needs the right to administer leads.

## The file
Any CSV file of up to 100,000 rows, with a heading row. Commas or semicolons, with or without quotation marks.

## The steps
1. Choose the file.
2. Say which column is what. Columns that are recognised are filled in.
3. Do a trial run: it changes nothing, and reports how many leads are new, how many exist already and which rows have something wrong.
4. Import. You can close the page; it goes on.

## Duplicates
A lead that matches an existing one by company number, telephone or e-mail is not added twice. “No” and empty fields never match.

## Undo
A whole import can be taken back.`,
  },
] satisfies Article[]
