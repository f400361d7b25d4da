import { DOCUMENT_APPROVER_ROLES, DOCUMENT_AUTHOR_ROLES, DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import type { HelpArticleSource } from '#web/shell/manifest/article.ts'

export default [
  {
    slug: 'risk-assessment',
    title: 'Writing a risk assessment',
    summary: 'Starting from a template, rating the hazards and completing the assessment',
    allow: DOCUMENT_AUTHOR_ROLES,
    text: `Go to Documents > Risk assessments. Your unfinished drafts are on your dashboard.

## Start
1. Choose “New risk assessment”, then “From a template”, “Copy an existing document” or “Blank”.
2. Describe in a few words what is being assessed. This is the title; you can change it later.
3. Choose “Start”. The assessment gets its number, such as RA-0012, and is “Incomplete” until you complete it.

## Write
- The steps are The work, People at risk, Hazards and controls, PPE, Method statement, and Linked documents and files. You can go through them in any order.
- Everything is saved as you type. “Saved 12:03” is shown next to the number. Without a connection, your changes are saved on this device and sent when you are online again.
- “Show preview” shows the printed page next to the form if the screen is wide enough.

## Hazards and controls
1. Choose “Add hazard” and type what could cause harm; matching hazards from the library are offered. “Hazard library” shows all of them.
2. Enter who might be harmed, and the controls. Prefer controls that remove the hazard to those that only protect the person.
3. Rate the initial risk, without any controls, and the residual risk, after the controls, each as probability times severity: type two digits, or press Enter for the matrix.
You can paste a table from a spreadsheet.

## Pictures
Under Linked documents and files, the label next to a file is printed below the picture.

## Complete
Choose “Complete”. A check lists what is missing, with links; copied answers to confirm; risks that remain high; optional fields left blank; and who will approve. “Complete and seal” ends the draft. A complete revision is sealed: its content can’t be changed, and it then awaits approval. To change it, start the next revision.

## Have planned controls carried out
On the page of an assessment in force, “Planned controls” lists the controls that are not in place yet. Choose “Raise a corrective action”: the control, the person responsible and the date are entered already. The control then shows the action’s number and status. The next revision shows the same actions. Withdrawing the assessment deletes those that are still open.

## What the seal proves, and what it can’t prove
Every night, the portal compares content, decisions, signatures, attendance and files with what was sealed. It notifies your administrators of each difference by e-mail and on the dashboard, with the event that sealed the content.
- The seal shows whether the sealed content is unchanged and complete. It also reveals a change made directly in the database. This includes approvals, signatures and the PDF as printed.
- “Saved PDFs”, on the page of a sealed revision, lists every PDF created from it, each as it was on the day it was created; “Sent” lists the recipients.
- Sealed PDFs do not change if a picture is renamed or your company gets a new logo, form or name.
- The seal can’t prove that the content is right, that somebody understood what they signed, or who held the device.
- The seal can’t prevent the operator of the database from adding entries at the end of the audit chain. Keep printed or downloaded PDFs of your most important documents: each shows its seal.`,
  },
  {
    slug: 'method-statement',
    title: 'Writing a method statement',
    summary: 'From a risk assessment to a document for the job',
    allow: DOCUMENT_AUTHOR_ROLES,
    text: `A method statement describes how a job is done safely, step by step. It accompanies the risk assessment for the same job.

## Start from the assessment
1. Open the risk assessment and choose “Method statement from this assessment”. Or choose “New method statement”, then “From a risk assessment”.
2. Choose “Start”. The method statement gets its number, such as MS-0004, and takes the job’s details from the assessment: place, dates, contract, equipment, first aider and emergency contacts, and its statements and tasks.
You can also start from a template for your industry, from a copy of one of your own method statements, or from a blank one. In a copy, you must confirm the place, dates and people.

## Write
- Sequence of work: choose “Add a step” for each step, in the order of work. The arrows move a step. Pictures of a step are printed below it; the label next to a file is printed below the picture.
- Tasks and statements: select tasks and standard statements from your library. “Show system templates” adds the portal’s templates; “New” and “Copy” create your own. Tasks are sorted by title. Default statements are included from the start; remove those that do not apply.
- Plant and permits, People and tickets: add one row for each item or person. Tickets that expire before the work starts are shown before you complete the document.
- In an emergency: enter what people do, the assembly point, the nearest A&E, and three contacts. Tap a number to call it on a phone.
- Assessments and files: this step lists the associated assessments. Choose “Add” to add more.

## Complete
Choose “Complete”. A step or a task, a location and a site supervisor are required. If an assessment has been replaced since, a message says so, and “Use the new revisions” updates it. The document is then approved, signed and revised like any other.
The assessment lists its method statements under “Where used”. “Print with all references” combines both documents in one file.`,
  },
  {
    slug: 'rams-packs',
    title: 'Sharing a RAMS pack',
    summary: 'All documents for a job in one file, for the main contractor',
    allow: DOCUMENT_AUTHOR_ROLES,
    text: `A RAMS pack contains exact revisions of the documents for one job: the method statement, its risk and COSHH assessments, talks, drawings and certificates. It is approved, signed and revised like any other document.

## Start
1. Open the method statement for the job and choose “RAMS pack from this method statement”. The pack takes over the job’s details, the method statement and the assessments that the statement refers to.
2. Documents: choose “Add” to add more documents by number, or “Add file” to add a drawing or a certificate. The arrows set the print order.
3. On site: enter the person in charge and the information that the recipient needs first.
Choose “Complete”. If a document has been replaced since, a message says so, and “Use the new revisions” updates it.

## Issue it again
When a document is revised, start the next revision of the pack and choose “Use the new revisions”. Before you complete it, you can see the changes in each document. Once it is in force, people who signed before sign again only in two cases: a document meant for them was added, removed or replaced and they have not signed it separately; or the pack’s own content has a change that is not minor. All other signatures are carried forward: “Requested signatures”, the signature list and the PDF state the revision and the reason.

## Share
Everybody who can read the pack reads its documents on the pack’s page: choose “Open the whole pack”, or open each document in the list. Before you go where there is no signal, choose “Store on this device”: the line beside the button says when everything in the pack can be read there. “View PDF” creates one file: the pack’s own page with its signatures, the contents, then each document with the fingerprint of its seal.
On the page of a pack in force, “E-mail it” sends the pack to the main contractor: enter the name, company and e-mail address of each recipient, a message and the expiry date of the links. Each recipient gets a link of their own, reads the pack without signing in, and accepts it, accepts it with comments or rejects it. Accepting is possible only after every document was read to the end. You are notified of the answer. It is shown under “Shared with”, names the revision that was read, and is sealed like a signature. Recipients can change their answer until the pack is replaced; earlier answers are retained. “Shared with” also says what became of each e-mail; “Send again” sends it once more. “Create link” makes a link that you send yourself: enter the recipient and the expiry date. A link shows this pack only. You can see how often the link was opened. “Withdraw” ends the link; the link ends automatically when the pack is replaced or withdrawn. If a document in the pack is withdrawn, the link shows which one instead of opening the pack, and nobody can sign the pack. Anybody with the link can read all documents in the pack, including those restricted to managers in your company.`,
  },
  {
    slug: 'rams-requests',
    title: 'Requesting RAMS from a subcontractor',
    summary: 'Requesting documents by e-mail, with a link to upload them',
    allow: DOCUMENT_AUTHOR_ROLES,
    text: `## Request
Go to Documents > RAMS packs > RAMS requests and choose “Request RAMS”. Enter the subcontractor, the recipient, the job and site, the deadline and the documents you need. The e-mail has a link to upload up to ten files at a time, PDF, Word or pictures, each of at most 10 MB; no sign-in is needed. A file that can’t be accepted is named with the reason, and the others are received. The link works until thirty days after the deadline. Reminders are sent one day before and one day after the deadline.

## Review
You get a notification when something has been uploaded. Open the request: each version with its files is saved as received. PDFs open in the portal; Word documents and pictures are downloaded. “Accept” ends the request. “Return” e-mails your corrections to the subcontractor, who uploads the next version with the same link. “Withdraw” closes the link.

## Answer a request with a pack
If your own company uses this portal for RAMS, open the link in the e-mail and sign in: choose the button “Choose a pack from”, which names your company. It lists your packs in force. “Send” sends the pack as one PDF, as it is today, and nothing else from your company. The pack is logged under “Sent” on the pack’s page, and the requesting company sees your company’s name.`,
  },
  {
    slug: 'approving-and-signing',
    title: 'Approving, signing and reviewing',
    summary: 'What happens to a complete document, and what you have to do',
    allow: DOCUMENT_READER_ROLES,
    text: `## Status
- Incomplete: still being written, not in force.
- Awaiting approval: complete and sealed, but not in force yet.
- Current: approved and in force. Each number has one current revision.
- Rejected: never came into force. The revision is retained with the reason, and the author can start the next revision from it.
- Replaced: a later revision is current.
- Withdrawn: no longer in force, with a reason and no replacement.

## Approving
Administrators see documents awaiting approval on the dashboard. Read the document, then choose “Approve” or “Reject”. A rejection needs a reason, which the author sees. An approved revision is current immediately and replaces the previous one. If you approve your own document, the screen and every PDF say so. In Safety settings, “Require a second person to approve” prevents this.

## Readers
Everybody in the company can read documents in force, unless “Readers” restricts them: the author sets the readers in the draft, under “Industry and template”, and the approver can change them on approval. “Management only” is then shown next to the number, and nobody else can find the document in lists, files or search results. Approvers can read all documents.

## Withdrawing
Approvers choose “Withdraw” in the three-dot menu and enter a reason. The document ceases to be in force immediately, and signatures are no longer requested. Its content, signatures and PDFs are retained; the page and every PDF state that it is withdrawn, and why. “Restore” puts the document in force again, unless there is a later revision.

## Signing
Employees see the documents to sign on the dashboard, under “To sign”, with the deadlines, including talks for which they are on the attendance list. Other documents that you can read, for which nobody has requested your signature, are listed in a collapsed section below. The document itself also shows the request at the top. Authors request signatures on the document’s page and see whose signatures are missing.
1. Open the document and read it.
2. If the document refers to others, open each of them and read to its end; until then, “Sign” is not available. The signature states what was opened on the device, and for how long. A document that you opened for an earlier signature need not be opened again.
3. At the end, choose “Sign”. Draw your signature with a finger or the mouse, or type it. It is shown with your own name, and the PDF states when you signed.
4. People without an account sign on your device: choose “A visitor”, and “Sign and add another” for each person. Colleagues sign with their own account.
5. With the necessary permission, you can choose “On behalf of someone” to sign for a person who can’t: both names are saved. The person’s own signature is still requested.
6. People without an account can also sign on their own phone. On the page of a document in force, choose “Signing link”, enter the expiry date and choose “Create link”. Then show the QR code, send the link or print the poster. Anybody with the link can read the document, even if its readers are restricted. They read the document, and every document in it, to the end, enter their name and company, and sign by hand. The signature states that it was given by link, and never counts as that of an account: nobody can sign by link under the name of somebody who has an account. A link works for at most 30 days and 100 signatures, opens the revision in force, and ends at once with “Withdraw link”.
Only authors of safety documents, administrators and the person who drew a signature can see it. Only documents in force can be signed. A signature belongs to the exact revision and can’t be changed or removed. The next revision must be signed again unless signatures are carried forward, for example after a minor change.

## Reviewing
The author and the administrators get an e-mail 30 days and 7 days before a review is due, and on the due date. Choose “Review” in the three-dot menu. If nothing has changed, an approver marks the document as reviewed until the next review date. If something has changed, start the next revision.

## Changes
Under “Revisions”, choose two revisions and compare them. Completed revisions are never lost: “Delete” removes a document from the lists, and “Restore” brings it back.

## Names
Screens and PDFs show people’s names. The audit chain stores the username, which is never reused; it is shown in brackets there, and in the record at the end of a PDF.`,
  },
  {
    slug: 'coshh-assessments',
    title: 'COSHH assessments',
    summary: 'From the task to the control approach, the PDF and the risk assessments that reference it',
    allow: DOCUMENT_AUTHOR_ROLES,
    text: `Go to Documents > COSHH assessments. A COSHH assessment is started, completed, approved, signed and reviewed like a risk assessment.

## Start with the task
Describe the task and how it is done: a product that is sprayed poses different risks from one that is brushed on. Then choose “Add a substance”: from your library, from the system templates, or a new one from its data sheet. The assessment saves the library’s data at that time.

## The control approach
1. Enter how much is used each time, in which form, and its dustiness or volatility.
2. The portal shows the proposal of COSHH Essentials and the formula: hazard group, amount, dustiness or volatility.
3. Choose “Confirm approach 2”, or whichever number is proposed. Alternatively, choose “Choose another approach” and enter why that approach is sufficient.
- “Control approach not known” means that COSHH Essentials gives no proposal: something is not known, or the substance is a gas, fume, dust from the work, or a biological agent. There is nothing to confirm: find out what is missing, or choose an approach and give a reason.
- Sensitisers, carcinogens and mutagens always need expert advice.
- If a later change gives a different proposal, you must confirm it again.

## The other steps
The other steps cover people, including new or expectant mothers and young workers; controls in the order of the hierarchy; local exhaust ventilation, which must be thoroughly examined at least every 14 months; protective equipment with its standards; health surveillance, storage, first aid, fire, spillage and disposal. The check before “Complete and seal” lists old data sheets, overdue examinations, and approaches that differ from the proposal.

## In a risk assessment
In a risk assessment, choose “Link COSHH assessment” above the hazards or in a hazard’s menu. The link belongs to the whole risk assessment, not to one hazard. The seal covers the exact revision of each linked COSHH assessment. The PDF lists them; “Print with all references” prints them too.`,
  },
  {
    slug: 'policies',
    title: 'Policies',
    summary: 'Setting up, changing and renewing your policy, and having people acknowledge it',
    allow: DOCUMENT_AUTHOR_ROLES,
    text: `An employer of five or more people must have a written safety policy: general intentions, responsibilities and arrangements. Go to Documents > Policies to find yours. Only one policy is in force at a time, whatever its number.

## The first policy
Choose “New policy” and a template for your industry, or “Set up policy” at [your policy](/safety/policy/view) if there is none yet. Enter who signs for the company and who holds each safety function, such as First Aider; templates don’t include names. The policy is started, completed, accepted and signed like any other document.

## Organisation
“Add function” asks for the function, the person who holds it, and that person’s responsibilities, one per line. If you choose one from the library, its usual responsibilities are filled in. Your own entries are suggested in the next policy too.

## Arrangements
Select the arrangements that apply to your company, and clear the others. “New” creates your own arrangement, “Copy” copies a system template, “Edit” changes your own. The policy saves each arrangement as it was when chosen. Provider staff who work as one of your users can also choose “Find More”.

## Changing it
1. Choose “Revise”, make your changes, and choose “Complete”.
2. Choose the type of change. After a material change, everybody whose signature was requested acknowledges the policy again and sees what has changed since they signed. After a minor change, such as a phone number, signatures are carried forward.
3. An administrator chooses “Accept” and decides the type of change.

## Renewing it
A policy is reviewed every year, unless your company’s settings differ. If nothing has changed, choose “Review or renew”, then “Renew for” that period. This sets the next review date; your name and the time are sealed with it. [Policies past their review](/sfp/safety-policy/expired) have their own list.`,
  },
  {
    slug: 'substances',
    title: 'Substances',
    summary: 'Label and data sheet details of the substances you use',
    allow: DOCUMENT_READER_ROLES,
    text: `Go to Documents > COSHH assessments > Substances for the substances your company works with, and the system templates. The templates are typical of such products and do not replace the supplier’s data sheet.

## Add a substance
1. Choose “New substance”, or open a template and choose “Copy to our library”.
2. Under “Safety data sheet”, add the PDF. “Find values in the data sheet” shows the values that the portal found, each with its line and page. Choose “Use” for each value that is right; nothing is entered automatically. Everybody who can read the substance can read the file.
3. Check and complete the label: find hazard statements such as H314 by code or by words. The pictograms and the signal word are proposed from them; change them if your label differs.
4. Under “Limits”, choose “Add limit” for each ingredient with a workplace exposure limit. Ingredients are looked up in EH40 as you type. Each limit states its source and how reliable its figures are; a limit that the data sheet does not confirm is marked “not yet checked against the data sheet”.

## What the marks mean
- Hazard groups A to E, and S for skin and eyes, come from COSHH Essentials. Group E, sensitisers, carcinogens and mutagens need expert advice.
- A question mark means not known: check the data sheet. A substance without a hazard statement is in group A only if “Not classified as hazardous to health” is switched on, because section 2 of its data sheet says so.
- A data sheet that is 36 months old is marked: ask the supplier for a newer one. The filter “Data sheet” finds such substances.

## What a change affects
Substances, hazards, PPE, statements and arrangements in the library show, under “Where used”, the documents that use them, the documents that include these documents, and who has signed. Documents keep the content they were written with.
- Request a review of all documents in force, or of selected ones. The documents become due today. Enter a reason for the reviewers. The job continues in the background; under “Background jobs”, you can see its progress, and stop or resume it.
- When you add a data sheet with a later date, the portal requests a review of the assessments in force that use the substance.
- Retiring an item in use asks for confirmation first.`,
  },
  {
    slug: 'safety-settings',
    title: 'Safety settings',
    summary: 'Approval, review dates, document numbers and the risk matrix',
    allow: DOCUMENT_APPROVER_ROLES,
    text: `Go to Settings > Safety settings. Each part is saved separately and shows its last change. If you leave a setting empty, your provider’s setting applies.

## Approval
“Require a second person to approve”: nobody can approve a document they have written or completed themselves.

“Signatures on the presenter’s device”: with “Drawn by hand, with the signer’s own PIN”, people with an account also enter their signing PIN when they sign for a toolbox talk on somebody else’s device or by link. This is evidence that the person named signed: their own PIN was entered as well as a signature drawn by hand. Visitors without an account sign by hand only.

## Review
For each type of document, enter the number of months from approval to the next review. The date is proposed on approval and can be changed then. Documents already approved keep their date.

## Numbering
Enter the prefix for each type’s numbers, and how many digits they have. The next number is shown as you type. Existing numbers never change, and a prefix that would repeat a number is refused.

## Risk matrix
Enter the words for probability and severity from 1 to 5 and, for each band, its scores, its name, its colour, its requirement for a residual risk, and the action to take. The matrix next to these fields shows your changes as you type.
- “Can’t be completed (stop)”: the residual risk has to be reduced first.
- “A reason or a planned control (reduce)”: enter a reason, or a planned control with the person responsible and a date.
- Unless you change the settings, a high residual risk needs a reason or a planned control, and a document with a very high one can’t be completed.
- A higher band must require at least as much as the band below it. A risk of 25 always needs a reason.
Drafts use the new matrix immediately; check them again before you complete them. Completed documents keep the words and bands they were completed with. Templates have no matrix: a copy uses your company’s.`,
  },
  {
    slug: 'forms',
    title: 'Editing a form',
    summary: 'Adding questions to your company’s documents, or leaving some out',
    allow: DOCUMENT_APPROVER_ROLES,
    text: `Above each list of documents, administrators can choose “Edit form questions” to see all versions of its form. Open a version to see its questions.

## A new version
1. Above the versions, choose “Edit form questions”.
2. Add questions, leave some out, move them or rename them. Essential ones, such as the title and the hazards, remain.
3. Describe the changes, and choose “Publish”. A published version can’t be changed; to change it, publish the next one.

## What happens to documents
- New documents start with the newest version that fits best: your company’s version for the industry, your company’s general version, the industry’s version, or the portal’s own.
- Drafts keep their version. The author is notified of the newer version and can choose “Use new form”. Answers without a field in the new version are set aside and shown until they are moved or discarded.
- Sealed documents are read, printed and checked with the version they were written with, for as long as they are retained.`,
  },
  {
    slug: 'toolbox-talks',
    title: 'Toolbox talks',
    summary: 'Writing and presenting talks, and recording attendance',
    allow: DOCUMENT_READER_ROLES,
    text: `## Write a talk
Go to Documents > Toolbox talks and choose “New toolbox talk”. Enter a title, why it matters, and the points to make. Choose “Complete”; an administrator then chooses “Accept”. To change an accepted talk, choose “Replace”.

## Plan a talk
Go to Documents > Toolbox talks > Talk schedule and choose “Plan talk”. Enter the talk, the week, the presenter and the place. Seasonal talks and talks not presented for a long time are suggested. The presenter is notified immediately, on the Friday before, on the Monday, and on the Friday of that week if the talk has not been presented; “Talks to present” on their dashboard lists it too. “Present” starts the record and marks the planned talk as presented. This also happens if the talk is presented from its own page, in that week or within four weeks, by the same person or at the same place.

## Present a talk
1. Open the talk and choose “Present”. Enter the presenter, place and time, and start the record. For a talk held before its revision was replaced, open that revision and choose “Record an earlier talk”.
2. Enter the people who are there, one name per line, and choose “Add”.
3. Present the talk. Pass your device round: everyone signs by hand, one after the other, and “Next” moves to the next person. Visitors state their company and trade. If your company requires it, people with an account also enter their signing PIN. People with an account can also sign on their own phone. Without a connection, you can still start the record, add names, sign, mark people as absent and close it: open the talk or “Presented talks” beforehand while you are online. All of it is saved on the device and sent when you are online again, even if the page was closed. “Sign on behalf” requires permission and records both names. To let people without an account sign on their own phone, choose “Sign on another device”, then “Create link”, and show them the QR code, send them the link or print the poster. They read the talk to the end, choose or enter their name, and sign by hand; the record states that they signed by link. People on the list who have an account can choose their name too, and are notified; if your company requires signing PINs, they also enter their PIN, and without one they sign under their own account or on the presenter’s device. The link works until the end of the next day while the record is open, and “Withdraw link” ends it at once.
4. Mark as absent the people who should have been there, with a reason. You can remove a name that was added by mistake.
5. Choose “Close record”. If somebody has neither signed nor been marked absent, mark them as absent or let them sign late; the record then states that they had not signed. A closed record can’t be changed.
6. People who attended but have not signed can still sign while the talk is in force: with “Sign late” next to their name, or below the list. The signature is marked as late, with the time.
7. While the record is open, safety administrators can correct the presenter, place and time, even after people have signed: choose “Correct record” and enter a reason. The signed version is retained alongside the correction, and all signatories are notified.

## Afterwards
“Presented talks” lists every occasion with its number of signatures. “View PDF” on a record prints the talk with all signatures.
If something has to be put right, safety authors choose “Add” under “Corrective actions” on the record. The record’s notes are entered already.`,
  },
  {
    slug: 'custom-forms',
    title: 'Custom forms',
    summary: 'Your own checks: building a form, completing it on site, and using the results',
    allow: DOCUMENT_READER_ROLES,
    text: `Go to Documents > Custom forms.

## Complete a form
1. Open the form and choose “Complete form”; forms you have to complete are on your dashboard with the due date. Go through the steps; further questions depend on your answers.
2. Mark the defects first. With a defect, describe it and choose “Add a photo”: on a phone, this opens the camera.
3. At the end of a section, “Answer the remaining” answers its unanswered questions as fine, all at once. Answers that you have entered are never changed, and “Undo” clears the others again. The record and the PDF state which answers were entered together, and when.
4. “Last time” shows the answers of your company’s last completed form, if you can read it; where the form asks for the site or the vehicle, of the last one for the same. Nothing is entered until you choose “Use”.
5. Sign, and choose “Send”. Missing answers are listed with links.
6. Without a connection, everything is saved on your device, including photos, and sent when you are online again. Unsent answers are there when you come back.
Nobody can change answers once they have been sent. Your own completed forms are listed under the form; authors of safety documents see all completed forms.

## Build a form
1. Choose “New form”, or open a ready-made one and choose “Copy to our forms”.
2. Enter a name, add steps and questions, and set the type of each answer and whether it is required. “Only ask if” shows a question only after a certain answer.
3. For each choice, state whether it stands for “Fine” or a “Defect”. Only a fine choice can be entered for the rest of a section at once, and a defect is shown in red. “Offer a photo with a defect” adds a photo question after the question.
4. For the question that asks for the site or the vehicle, tick “Names what is checked”. Completed forms show this answer, and last time’s answers are found by it.
5. Give choices points if the form is to be scored, and set a pass mark. If a choice has no points, such as “Not applicable”, its question is left out of the score.
6. Check the preview, which shows the form as on a phone, and choose “Publish”. From then on the form can be completed.
Until you save, your draft is stored on your device and restored after a reload. A published version never changes: edit the form and publish the next one. Anyone who has already started the previous version can finish it.

## Answers by link or QR code
1. Open a published form and choose “Answer by link or QR code”. Choose the last day, at most 365 days ahead, and “Create link”; show the QR code, send the link or print the poster.
2. People without an account scan the code, enter their name and, if they like, their company, and answer the form on their phone. What they enter stays on that phone until it is sent.
3. Their answers are listed and sealed like all others, with their name and “by link”, and the author of the form is notified. A signature by link is drawn, and nobody can use the name of somebody who has an account.
4. Photos and files can’t be sent by link: these questions are not asked there, and a form that requires a photo can’t be answered by link.
5. The link opens the newest published version and takes at most 50 answers a day. “Withdraw link” ends it at once; answers already sent remain.

## Schedule a form
Under “Schedule”, choose “Add a schedule” and enter the person, the frequency, the start date and the place. The person is reminded on the due date, one day later and one week later. Completing the form sets the next due date.

## Put defects right
Safety authors open a completed form. Under “Corrective actions”, its defects are listed, with the scored answers that earned no points. Choose “Raise a corrective action”: the question and its answer are entered already; choose the person responsible and a deadline. The defect then shows the action’s number and status. “Add” raises an action about the whole form.

## Results
- All completed forms are listed under the form, with their score and number of defects. Search by number, site or vehicle, or by words of the answers. Each can be opened and printed as a PDF.
- “Answers as XLSX” and “Answers as CSV” contain one row per completed form and one column per question.`,
  },
  {
    slug: 'your-consultant',
    title: 'Asking your consultant',
    summary: 'A question about a document, and who has opened your documents',
    allow: DOCUMENT_AUTHOR_ROLES,
    text: `## Asking
On a document’s page, under “Your consultant”, choose “Ask your consultant” and enter your question. You get the answer by e-mail and as a notification, and it is shown with the document. Each revision can have one open question; you can withdraw it until it is answered.

## Who has opened your documents
A consultant from your provider can read your documents. Each time a consultant opens a document, this is logged under Settings > Confidential data: who read it > Documents opened by your provider, for your company’s administrators. Searches are not logged; their results show in which part of a document the words occur, but not its text.`,
  },
] satisfies HelpArticleSource[]
