import type { Article } from '#web/shell/manifest/article.ts'
import { FILE_PEOPLE } from './files/document-folder.ts'

export default [
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
The portal still opens. “Offline” is shown at the top until the connection is back. What you had typed stays where it is.

Documents, drafts, talks and forms that you had open, and what the dashboard asks you to sign or fill in, open from the copy on your device; the page says of when it is. What you type, sign and fill in is sent when the connection is back. The copies leave the device when you sign out, and when somebody else signs in.`,
  },
  {
    slug: 'uploading-files',
    title: 'Uploading files',
    summary: 'Photographs, drawings and data sheets: sending, sorting, using them again',
    allow: FILE_PEOPLE,
    text: `## Send them
Drop files on the box, paste them, or choose them; on a phone choose “Take a photo”. In a document that is the step “Pictures and files”; to keep files for later, use the File manager under Safety.
- Photos, PDF, Word, Excel, PowerPoint, OpenDocument, CSV and plain text are accepted. A file that is too large says so, and how large it may be.
- They are sent one after the other. One that failed stays in the list with the reason: choose “Retry” when the connection is back.

## Sort them
In the File manager choose “New folder”. With the menu at the end of a file’s line you can move it to a folder, or save the original as it was sent. A click on a label changes it.

## Who reads them
The pencil beside a folder says who reads what is in it: those who write documents, administrators only, or everybody in the company. A file that a document uses is read with that document as well.

## A newer version
In the menu of a file choose “Versions, expiry and where it is used”, then “Upload a new version”. It takes the place of the file. The earlier ones are kept with who brought them and when: save one, or “Restore” it, which makes it a version more. A document keeps the version that it was written with.

## Files that expire
In the same place enter the last day on which a file holds: an insurance certificate, a ticket. Whoever brought the file is told by the bell 30 days before, or as many as you say. The list says how many days are left, or “Expired”, and can be narrowed to those. A new version begins without a day.

## Put them away
“Retire” says where a file is used, then takes it out of the lists; “Show retired files” shows it again, and “Restore” brings it back. A file that a sealed document uses stays.`,
  },
  {
    slug: 'downloads',
    title: 'Downloads',
    summary: 'Forms, certificates and handbooks for everybody to take',
    allow: FILE_PEOPLE,
    text: `Under Safety, Downloads. What your company and your provider have laid out stands there by folder: press one to download it.

## Lay something out
1. In the File manager put the files into a folder.
2. The pencil beside the folder says who reads it. Switch on “Downloads” there; administrators can.
3. Whoever reads the folder finds its files under Downloads, always in the newest version.`,
  },
  {
    slug: 'letterhead',
    title: 'Your letterhead',
    summary: 'Name, address and logo on your company’s papers',
    allow: 'ROLE_CLIENT_ADMIN',
    text: `Under Settings, Letterhead. What you change is on the next paper that is made.

## Name and address
Choose a value to change it. They stand on the first page of every paper, under “For”.

## Logo
1. Choose “Choose a picture”: a PNG, JPEG or HEIC of any proportions. It stands on the first page, and small at the head of the others.
2. “What the logo says” is read aloud to people who can’t see it; without it that is the company’s name.
3. “Print no logo” takes it off.
4. A logo that can hardly be seen on white paper, such as white letters, is refused. “Print it on a dark ground” lays it on one.

## Head and foot
A line of your own on every page, below what stands there anyway. The sample page beside it follows as you type. Without a line of your own your provider’s is printed, if there is one.

## Papers that are sealed
They keep the name, the address, the logo and the lines that they were sealed under. Later prints of the same revision have them too.`,
  },
  {
    slug: 'asking-support',
    title: 'Asking support',
    summary: 'What to send, and where your question goes',
    allow: 'member',
    text: `Under Help choose “Ask support”. Say in a few words what it is about, and what happened. The answer comes to the e-mail address that you give, and stands there under “Asked of support”.

Where a page or a part of it could not be shown, “Ask support” stands beside it: the name of the page and the number of what failed are filled in for you. Nothing of what you had typed is sent, and no link that only you can use.`,
  },
  {
    slug: 'alerts',
    title: 'What your people are told of',
    summary: 'The bell and the daily e-mail, for the whole company',
    allow: 'ROLE_CLIENT_ADMIN',
    text: `Under Settings, Alerts. Each line is something that the portal tells of, with the roles that it is for and how many people have them.

“Bell” counts it as soon as it happens; “Daily e-mail” brings it the next morning, if it is still unread. What you tick holds for everybody who has not said otherwise under “What I am told of”.

“Send me a test e-mail” sends one to your own address at once. If it doesn’t come, look among unwanted e-mail first.`,
  },
  {
    slug: 'setting-up-a-client',
    title: 'Setting up a client',
    summary: 'From nothing to the first sign-in',
    allow: 'ROLE_CLIENTS_ADMIN',
    text: `Press Ctrl K and choose “Set up a client”, or open a client and choose “Set up”.

1. Give the company and whom to speak to, then “Create client”. New clients begin with a pack; change it under Packs.
2. “Make the administrator”: the contact is filled in. If something was mistyped, choose “Correct”; links that were sent before stop working.
3. “Send login details”: they choose a password by the link, within a week.

The checklist says what is done. You can leave at any time: it goes on from there, also for a colleague. Once somebody of the client has signed in, further people are made by their own administrator.`,
  },
  {
    slug: 'banners',
    title: 'Banners',
    summary: 'Say something to everybody at once',
    allow: 'ROLE_CLIENTS_ADMIN',
    text: `Under Clients, Banners. “Information” stands above everybody’s dashboard, “Promotion” below it.

Type a title and a message: the preview shows it as it will be. “For” says whether clients’ people, our own, or everybody sees it; with a first and a last day it comes and goes by itself. “Show it” puts it up.

“Choose a picture” takes a photograph or a drawing; say what it says, for those who can’t see it. Whoever has read a banner can hide it; once you change it, it is shown to them again.`,
  },
] satisfies Article[]
