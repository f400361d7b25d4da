import type { HelpArticleSource } from '#web/shell/manifest/article.ts'
import { FILE_USER_ROLES } from './files/uploaded-document.ts'

export default [
  {
    slug: 'keyboard',
    title: 'Finding your way quickly',
    summary: 'Search, shortcuts and appearance',
    allow: 'member',
    text: `## Search
Press Ctrl K (⌘ K on a Mac), or choose the search field at the top. Type part of a screen’s name, or of what you are looking for, and press Enter. You can search documents by number, title, contents or the people named in them. Provider staff can also search for a company, a person, a telephone number or a quote number. The results show only what you are allowed to read.

## Shortcuts
Press ? to see the shortcuts for the current screen. Single-key shortcuts never work while you type in a field; you can switch them off in the list of shortcuts.

## Appearance
In the menu at the top right, choose light, dark, or the same appearance as your device.

## Without a connection
The portal still opens without a connection. “Offline” is shown at the top until the connection is back. The message above a page states what is stored on the device.

Documents, drafts, talks and forms that you had open, or that the dashboard asks you to sign or fill in, open from the copy on your device. The page shows the date of the copy. What you enter in a draft, a form or a talk’s attendance list, and what you sign or submit, is sent when the connection is back and you are signed in. Text in an open dialog is not stored until you confirm it. If a change can’t be sent or is not accepted, the list of unsent changes shows why. The copies are removed from the device when you sign out, and when somebody else signs in. Unsent changes stay on the device and are sent when you sign in there again; text that you have not saved is removed.`,
  },
  {
    slug: 'uploading-files',
    title: 'Uploading files',
    summary: 'Sending, sorting and reusing photographs, drawings and data sheets',
    allow: FILE_USER_ROLES,
    text: `## Send files
Drop files on the box, paste them, or choose them; on a phone, choose “Take a photo”. In a document, use the step for files, such as “Pictures and files” or “Linked documents and files”. To save files for later, go to Files, then File manager.
- Photos, PDF, Word, Excel, PowerPoint, OpenDocument, CSV, plain text and saved e-mails (.eml and .msg) are accepted. If a file is too large, the message states the limit.
- Files are sent one after the other. A file that could not be sent stays in the list with the reason: choose “Retry” when the connection is back.

## Sort files
In the File manager, choose “New folder”. Use the menu at the end of a file’s row to move the file to a folder or to download the original. Choose a file’s label to change it.

The search finds files by their name and label at once. Shortly after the upload, it also finds PDF, Word, Excel, PowerPoint and text files by their text. Scans, e-mails, and files in the old Office formats, are found by their name and label only. The same applies to a PDF that opens only with a password, which other people can’t read; “Versions, expiry and use” marks such a PDF.

## Who can read files
The pencil next to a folder sets who can read its files: document authors, administrators only, or everybody in the company. Everybody who can read a document can also read the files it uses.

## A newer version
In a file’s menu, choose “Versions, expiry and use”, then “Upload a new version”. The new version replaces the current one. Earlier versions remain stored, with the date and the person who uploaded them. You can download an earlier version, or choose “Restore” to make it the newest version. A document keeps the version it was written with.

## Files that expire
Under “Versions, expiry and use”, enter the last day on which a file, such as an insurance certificate, is valid. The file’s owner is notified 30 days in advance, unless you set a different number of days. The list shows the days left, or “Expired”, and can be filtered by expiry. A new version starts without an expiry date.

## Retire files
“Retire” shows where a file is used, then removes the file from the lists. To list it again, choose “Show retired files”. “Restore” makes the file available again. A file used by a sealed document or a completed form can’t be retired.`,
  },
  {
    slug: 'downloads',
    title: 'Downloads',
    summary: 'Forms, certificates and handbooks for everybody',
    allow: FILE_USER_ROLES,
    text: `Go to Files > Downloads. The files from your company and your provider are listed by folder. Choose a file to download it.

## Offer downloads
1. In the File manager, put the files into a folder.
2. Choose the pencil next to the folder to set who can read it. Administrators can switch on “Downloads” there.
3. Everybody who can read the folder finds the newest version of its files under Downloads.`,
  },
  {
    slug: 'letterhead',
    title: 'Your letterhead',
    summary: 'Name, address and logo on your company’s documents',
    allow: 'ROLE_CLIENT_ADMIN',
    text: `Go to Settings > Letterhead. Changes apply to the next document that is printed. A registered company must also state where it is registered and its registered office: both are printed on quotes, invoices and e-mails to customers.

## Name and address
Choose a value to change it. The name and address are printed on the first page of every document, under “For”.

## Logo
1. Choose “Choose a picture” and select a PNG, JPEG or HEIC file. The logo is printed on the first page, and smaller at the top of the other pages.
2. “Alternative text” is read aloud to people who can’t see the logo; if it is empty, the company’s name is used.
3. “Remove logo” removes it.
4. A logo that can hardly be seen on white paper, such as white letters, is rejected. Choose “Print on a dark background” for such a logo.

## Header and footer
You can add your own header line and footer line to every page, below the standard details. The sample page next to them is updated as you type. If you leave a line empty, your provider’s line is printed, if there is one.

## Sealed documents
Sealed documents keep the name, the address, the logo and the lines they were sealed with, even when the same revision is printed later.`,
  },
  {
    slug: 'asking-support',
    title: 'Asking support',
    summary: 'What to send, and where to find the answer',
    allow: 'member',
    text: `Go to Help and choose “Contact support”. Enter a subject and describe what happened. The answer is sent to the e-mail address you enter, and is also shown in Help under “Your support requests”.

If a page, or part of a page, could not be shown, you can also choose “Contact support” there. The name of the page and the number of the failed request are filled in for you. What you had typed on the page is not sent, and neither are personal links.`,
  },
  {
    slug: 'alerts',
    title: 'Notifications for your users',
    summary: 'The bell and the daily e-mail, for everybody in your company',
    allow: 'ROLE_CLIENT_ADMIN',
    text: `Go to Settings > Alerts. Each line shows a type of notification, the roles that get the notification, and how many users have these roles.

“Bell” counts a notification immediately; “Daily e-mail” sends it the next morning if it is still unread. Your settings apply to everybody who has not changed their own under “My notifications”.

“Send me a test e-mail” sends a test e-mail to your own address immediately. If the e-mail doesn’t arrive, check your spam folder first.`,
  },
  {
    slug: 'setting-up-a-client',
    title: 'Setting up a client',
    summary: 'From a new client to the first sign-in',
    allow: 'ROLE_CLIENTS_ADMIN',
    text: `Press Ctrl K and choose “Set up a client”, or open a client and choose “Set up”.

1. Enter the company and its contact, then choose “Create client”. New clients start with a pack, which you can change under Packs.
2. Choose “Create administrator”: the contact is filled in. If something was mistyped, choose “Correct details”. Links that were sent earlier will stop working.
3. Choose “Send login details”: the administrator gets a link, valid for a week, to set a password.

The checklist shows what is done. You can leave at any time, and you or a colleague can continue later. Once somebody at the client has signed in, the client’s own administrator can add further users.`,
  },
  {
    slug: 'banners',
    title: 'Banners',
    summary: 'A message to everybody in one step',
    allow: 'ROLE_CLIENTS_ADMIN',
    text: `Go to Clients > Banners. The information banner is shown above everybody’s dashboard, the promotion banner below it.

Type a title and a message: the preview shows the result. “Audience” sets whether clients’ users, the provider’s users or everybody sees the banner. If you enter a first and a last day, the banner is shown and hidden automatically. “Show banner” publishes the banner.

Use “Choose a picture” to add a photograph or a drawing, and enter alternative text for people who can’t see the picture. Users can hide a banner. When you change the banner, they see it again.`,
  },
] satisfies HelpArticleSource[]
