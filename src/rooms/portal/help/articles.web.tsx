import type { Article } from './article.ts'
import { safetyArticles } from './articles-safety.ts'
import { salesArticles } from './articles-sales.ts'

/** The help, as short as it can be. */
export const articles: readonly Article[] = [
  {
    slug: 'sign-in',
    title: 'Signing in',
    summary: 'Username, password, client number, and what to do when it does not work',
    allow: 'anonymous',
    text: `Your username and the link to choose a password came by e-mail from your administrator.

## When it does not work
- Check that Caps Lock is off, and look at the password with the eye at the end of its field.
- The portal never says which of the two was wrong. That keeps strangers from finding out who has an account.
- After eight wrong attempts the account waits for a quarter of an hour. The right password then works again.
- If your username exists in several companies, the portal asks for your client number. It is in the e-mail that your sign-in came with.

## When you have forgotten your password
1. On the sign-in page choose “Forgotten my password”.
2. Type your username or your e-mail address.
3. Open the link in the e-mail within an hour. It works once.
4. Choose a password of at least ten characters. Three unrelated words are easy to remember and hard to guess.

## When your session ends
You are asked to sign in again where you are. What you have typed stays on the page.

## On a device that is not yours
Sign out in the menu at the top right. If you forgot to, open My profile on your own device and choose “Sign out there”.`,
  },
  {
    slug: 'keyboard',
    title: 'Getting around quickly',
    summary: 'The palette, shortcuts, and the appearance',
    allow: 'member',
    text: `## One field for everything
Press Ctrl K (⌘ K on a Mac), or choose the search field at the top. Type part of a screen’s name, or of what you look for, and press Enter: the number or title of a document, and for provider staff a company, a person, a telephone number or the number of a quote. It finds what you may read.

## Shortcuts
Press ? to see what the screen you are on can do from the keyboard. Single keys never work while you type in a field; you can switch them off in the same list.

## Appearance
In the menu at the top right choose light, dark, or the same as your device.

## Without a connection
The portal still opens. “Offline” is shown at the top until the connection is back. What you had typed stays where it is.`,
  },
  ...safetyArticles,
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
    summary: 'From a CSV file, with a dry run, a report of duplicates, and undo',
    allow: 'ROLE_STAFF',
    text: `Under Sales, Import leads. It needs the right to administer leads.

## The file
Any CSV file of up to 100,000 rows, with a heading row. Commas or semicolons, with or without quotation marks.

## The steps
1. Choose the file.
2. Say which column is what. Columns that are recognised are filled in.
3. Try it: the dry run changes nothing, and reports how many leads are new, how many exist already and which rows have something wrong.
4. Import. You can close the page; it goes on.

## Duplicates
A lead that matches an existing one by company number, telephone or e-mail is not added twice. “No” and empty fields never match.

## Undo
A whole import can be taken back.`,
  },
  ...salesArticles,
  {
    slug: 'working-as-a-client',
    title: 'Working as a client',
    summary: 'How provider staff help a client from the inside, and what the client sees',
    allow: ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN'],
    text: `Provider staff can work in a client’s portal as one of the client’s people, to see what they see and to help.

## For provider staff
1. Choose “Work as a client…” in the menu at the top right, or find the client with Ctrl K.
2. Choose the client and the person. You get that person’s rights, no more and no fewer.
3. Give the reason. The client can read it.
4. The yellow band says who you are, for whom and why, and counts down from 30 minutes. “Leave” takes you back to the lead list.

What you write is recorded under your own name, with the name of the person you worked as.

## For client administrators
Settings, “Who came in” lists every visit: who, as whom, why, and from when to when. It can’t be changed or removed by anybody.`,
  },
]

/** The words of the markup above, for search. */
export const wordsOf = (a: Article): string => `${a.title} ${a.summary} ${a.text}`
