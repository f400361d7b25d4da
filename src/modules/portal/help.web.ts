import type { HelpArticleSource } from '#web/shell/manifest/article.ts'
import { FILE_USERS } from './files/uploaded-document.ts'

export default [
  {
    slug: 'keyboard',
    title: 'Finding your way quickly',
    summary: 'Search, shortcuts and appearance',
    allow: 'member',
    text: `## Search
Press Ctrl K (⌘ K on a Mac), or choose the search field at the top. Type part of a screen’s name, or of what you are looking for, and press Enter: the number or title of a document, and for provider staff also a company, a person, a telephone number or the number of a quote. It finds what you can read.

## Shortcuts
Press ? for the shortcuts of the current screen. Single keys never work while you type in a field; you can switch them off in the same list.

## Appearance
In the menu at the top right choose light, dark, or the same as your device.

## Without a connection
The portal still opens. “Offline” is shown at the top until the connection is back. What you have typed is not lost.

Documents, drafts, talks and forms that you had open, and those the dashboard asks you to sign or fill in, open from the copy on your device; the page shows its date. What you type, sign and fill in is sent when the connection is back. The copies are removed from the device when you sign out, and when somebody else signs in.`,
  },
  {
    slug: 'uploading-files',
    title: 'Uploading files',
    summary: 'Send, sort and reuse photographs, drawings and data sheets',
    allow: FILE_USERS,
    text: `## Send files
Drop files on the box, paste them, or choose them; on a phone choose “Take a photo”. In a document use the step “Pictures and files”; to save files for later, use the File manager under Safety.
- Photos, PDF, Word, Excel, PowerPoint, OpenDocument, CSV and plain text are accepted. If a file is too large, the message states the limit.
- Files are sent one after the other. A failed file stays in the list with the reason: choose “Retry” when the connection is back.

## Sort files
In the File manager choose “New folder”. With the menu at the end of a file’s line you can move it to a folder, or download the original. Choose a label to change it.

## Who can read files
The pencil next to a folder sets who can read its files: document authors, administrators only, or everybody in the company. A file that a document uses can also be read with that document.

## A newer version
In the menu of a file choose “Versions, expiry and use”, then “Upload a new version”. It takes the place of the file. Earlier versions stay saved with their date and the person who uploaded them: download one, or choose “Restore” to make it a new version. A document keeps the version it was written with.

## Files that expire
In the same place enter the last day on which a file is valid: an insurance certificate, a ticket. The owner of the file is notified 30 days before, or as many days as you set. The list shows the days left, or “Expired”, and can be filtered by expiry. A new version starts without an expiry date.

## Retire files
“Retire” shows where a file is used, then removes it from the lists; “Show retired files” lists it again, and “Restore” brings it back. A file used by a sealed document can’t be retired.`,
  },
  {
    slug: 'downloads',
    title: 'Downloads',
    summary: 'Forms, certificates and handbooks for everybody',
    allow: FILE_USERS,
    text: `Under Safety, Downloads. The downloads of your company and your provider are listed by folder: choose one to download it.

## Offer downloads
1. In the File manager put the files into a folder.
2. The pencil next to the folder sets who can read it. Administrators can switch on “Downloads” there.
3. Everybody who can read the folder finds its files under Downloads, always in the newest version.`,
  },
  {
    slug: 'letterhead',
    title: 'Your letterhead',
    summary: 'Name, address and logo on your company’s documents',
    allow: 'ROLE_CLIENT_ADMIN',
    text: `Under Settings, Letterhead. Changes apply to the next document that is printed.

## Name and address
Choose a value to change it. They are printed on the first page of every document, under “For”.

## Logo
1. Choose “Choose a picture”: a PNG, JPEG or HEIC of any proportions. It is printed on the first page, and small at the top of the others.
2. “Alternative text” is read aloud to people who can’t see the logo; if it is empty, the company’s name is used.
3. “Remove logo” removes it.
4. A logo that can hardly be seen on white paper, such as white letters, is refused. “Print on a dark background” prints it on one.

## Header and footer
A line of your own on every page, below the standard details. The sample page next to it follows as you type. If you leave a line empty, your provider’s is printed, if there is one.

## Sealed documents
They keep the name, the address, the logo and the lines they were sealed with, also when the same revision is printed later.`,
  },
  {
    slug: 'asking-support',
    title: 'Asking support',
    summary: 'What to send, and where the answer goes',
    allow: 'member',
    text: `Under Help choose “Contact support”. Enter a subject and what happened. The answer is sent to the e-mail address you give, and is shown there under “Your support requests”.

Where a page or a part of it could not be shown, “Contact support” is offered: the name of the page and the number of the failed request are filled in for you. Nothing you had typed is sent, and no personal links.`,
  },
  {
    slug: 'alerts',
    title: 'Notifications for your users',
    summary: 'The bell and the daily e-mail, for the whole company',
    allow: 'ROLE_CLIENT_ADMIN',
    text: `Under Settings, Alerts. Each line is a type of notification, with the roles it is for and how many people have them.

“Bell” counts it as soon as it happens; “Daily e-mail” sends it the next morning, if it is still unread. Your choice applies to everybody who has not changed theirs under “My notifications”.

“Send me a test e-mail” sends one to your own address at once. If it doesn’t arrive, check your spam folder first.`,
  },
  {
    slug: 'setting-up-a-client',
    title: 'Setting up a client',
    summary: 'From a new client to the first sign-in',
    allow: 'ROLE_CLIENTS_ADMIN',
    text: `Press Ctrl K and choose “Set up a client”, or open a client and choose “Set up”.

1. Enter the company and its contact, then choose “Create client”. New clients start with a pack; change it under Packs.
2. Choose “Create administrator”: the contact is filled in. If something was mistyped, choose “Correct”; links sent before stop working.
3. Choose “Send login details”: the administrator sets a password with the link, within a week.

The checklist shows what is done. You can leave at any time and continue later, as can a colleague. Once somebody of the client has signed in, their own administrator adds further users.`,
  },
  {
    slug: 'banners',
    title: 'Banners',
    summary: 'A message to everybody at once',
    allow: 'ROLE_CLIENTS_ADMIN',
    text: `Under Clients, Banners. “Information” is shown above everybody’s dashboard, “Promotion” below it.

Type a title and a message: the preview shows the result. “Audience” sets whether clients’ users, the provider’s users or everybody sees it; with a first and a last day it is shown and hidden automatically. “Show banner” publishes it.

With “Choose a picture” add a photograph or a drawing; enter the alternative text for people who can’t see it. Readers can hide a banner; once you change it, it is shown to them again.`,
  },
] satisfies HelpArticleSource[]
