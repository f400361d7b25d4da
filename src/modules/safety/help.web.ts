import { APPROVERS, AUTHORS, READERS } from '#modules/documents/rights.ts'
import type { Article } from '#web/shell/manifest/article.ts'

export default [
  {
    slug: 'risk-assessment',
    title: 'Writing a risk assessment',
    summary: 'Begin from a template, judge the hazards, complete it',
    allow: AUTHORS,
    text: `Under Safety, Risk assessments. What you have begun and not finished is on your dashboard.

## Begin
1. Choose “New risk assessment”, then “From a template”, “Copy of one of ours” or “Blank”.
2. Say in a few words what is being assessed. That is its title, and can be changed later.
3. Choose “Start writing”. It gets its number, such as RA-0012, and is “Incomplete” until you complete it.

## Write
- The steps are The work, People at risk, Hazards and controls, Protective equipment, Method statement, and Pictures and files. Go through them in any order.
- Everything is saved as you type. “Saved 12:03” stands beside the number; without a connection it says “Offline: kept here”, and is saved when you are back.
- “Show the preview” puts the sheet of paper beside the form, where the screen is wide enough.

## Hazards and controls
1. Choose “Add hazard” and type what could cause harm: the library offers what it has. “Hazard library” shows all of it.
2. Say who might be harmed, and what is done about it. Prefer controls that remove the hazard to those that only protect the person.
3. Judge the initial risk, before anything is done, and the residual risk, with the controls, each as probability times severity: type two digits, or press Enter for the matrix.
A table from a spreadsheet can be pasted.

## Pictures
Under Pictures and files, the label beside a file stands under the picture on paper.

## Complete
Choose “Complete”. You see what is missing, and are led there; what came with a copy and nobody has confirmed; which risks stay high; what is left empty; and who approves it. “Complete and seal” ends the writing. A complete revision is sealed: its words stand, and it waits for approval. To change it, begin the next revision.

## What the seal proves, and what it can’t
Every night words, decisions, signatures, attendances and files are compared with what was sealed. Your administrators are told by e-mail, and on the dashboard, of each that is something else, and which event had sealed it.
- It proves that what was sealed says what it said then, and that nothing of it is gone: even if somebody changed it in the database, past the portal. Who approved and who signed is part of that, and so is the paper as it was printed.
- “Papers kept”, on the page of a sealed revision, has every paper that was made of it, each as it was on its day; “Sent” says who was sent it.
- A picture that is called otherwise since, a new logo, a new form or a company’s new name change nothing on papers that are sealed.
- It can’t prove that what was written is right, that somebody understood what they signed, or who held the device.
- It can’t keep whoever runs the database from adding something new at the end. Keep printed or downloaded papers of what matters most: each carries its seal.`,
  },
  {
    slug: 'method-statement',
    title: 'Writing a method statement',
    summary: 'From an assessment to a paper that people work by',
    allow: AUTHORS,
    text: `A method statement says how a job is done safely, step by step. It stands beside the risk assessment of the same job.

## Begin from the assessment
1. Open the risk assessment and choose “Method statement from this assessment”. Or choose “New method statement”, then “From a risk assessment”.
2. Choose “Start writing”. It gets its number, such as MS-0004, and has the job from there: place, dates, contract, equipment, first aider and whom to ring; and the statements and tasks that the assessment has.
A template of your trade, a copy of one of yours, or a blank one do as well. What a copy says of place, day and people is asked about once more.

## Write
- Sequence of work: “Add a step” for each, in the order in which it is done. The arrows move a step. Pictures of a step are printed beneath it; the label beside a file stands under the picture.
- Tasks and statements: tick tasks and standard statements of your library. “Show system templates” adds those of the portal; “New” and “Copy” make your own. Tasks are kept in the order of their titles. Default statements are there from the beginning; take out what does not apply.
- Plant and permits, People and tickets: one row each. A ticket that runs out before the work starts is shown before you complete.
- In an emergency: what people do, where they gather, the nearest hospital, and three contacts. A tap on a number rings it on a telephone.
- Assessments and files: the assessments that it goes with. “Add” chooses more.

## Complete
Choose “Complete”. There must be a step or a task, a location, and who is in charge. An assessment that has been replaced since is told: “Take the newer” puts it in. Then it is approved, signed and revised as every document is.
The assessment says under “Where it is used” which method statements go with it. “Print with everything it refers to” makes one file of both.`,
  },
  {
    slug: 'rams-packs',
    title: 'Handing over a RAMS pack',
    summary: 'The papers of a job as one file, for the main contractor',
    allow: AUTHORS,
    text: `A RAMS pack holds exact revisions of the papers of one job: the method statement, its risk and COSHH assessments, talks, drawings and certificates. It is approved, signed and revised as every document is.

## Begin
1. Open the method statement of the job and choose “RAMS pack from this method statement”. It has the job, the statement, and the assessments that the statement names.
2. Papers: “Add” chooses more by their numbers; “Add a file” a drawing or a certificate. The arrows put them into the order in which they are printed.
3. On site: who is in charge, and what whoever receives the pack has to know first.
Choose “Complete”. A paper that has been replaced since is told: “Take the newer” puts it in.

## Issue it again
When a paper is revised, begin the next revision of the pack and choose “Take the newer”. Before you complete it you see what has changed, paper by paper. Once it is in force, those who signed before sign again only if a paper that is for them came, went or was replaced, and they have not signed that paper itself; or if the pack’s own words changed and the change is not minor. All others stand as signed: “Asked to sign”, the signatures and the paper say with which revision, and why.

## Hand over
“Print with everything it refers to” makes one file: the pack’s own page with its signatures, contents, then each paper with the fingerprint of its seal.
On the page of a pack in force, “Make a link” lets somebody outside read it without signing in: say for whom, and until when. The link shows this pack alone. You see how often it was opened, and “Withdraw” ends it; it ends by itself when the pack is replaced or withdrawn. While a part of the pack is withdrawn it opens nothing and says which part, and nobody signs the pack. Whoever has the link reads all papers of the pack, also one that is for managers only in your company.`,
  },
  {
    slug: 'rams-requests',
    title: 'Asking a subcontractor for their RAMS',
    summary: 'By e-mail, with a link by which they send it',
    allow: AUTHORS,
    text: `## Ask
In “RAMS requests” choose “Ask for RAMS”: the subcontractor, whom the letter is for, for which job and site, by when, and what you expect. The letter has a link by which they send one PDF of at most 10 MB; nobody signs in for it. It opens until thirty days after the day, and is reminded of the day before and the day after.

## Look at it
The bell tells you when something has come. Open the request: each version is kept as it came. “Accept” ends it; “Send back” writes to them what is to be put right, and the next version comes by the same way. “Withdraw” closes the link.

## Answer one with a pack
If your own company keeps its RAMS here, open the link of the letter and sign in: “Choose a pack” lists what is in force. “Send” hands it over as one PDF, as it is today, and nothing else of your company. It is written down under “Sent” on the page of the pack, and whoever asked sees which company has signed in.`,
  },
  {
    slug: 'approving-and-signing',
    title: 'Approving, signing and reviewing',
    summary: 'What happens to a document when it is complete, and what is asked of you',
    allow: READERS,
    text: `## The states
- Incomplete: still being written, in force for nobody.
- Awaiting approval: complete, and sealed.
- Current: approved, and in force. There is one current revision of a number.
- Rejected: kept with the reason, out of the list of what is in work.
- Replaced: a later revision is current.
- Withdrawn: taken out of force, with the reason, and nothing in its place.

## Approving
Administrators see on the dashboard what waits for their approval. Read it, then choose “Approve” or “Reject”. A rejection needs a reason, which the author sees. An approved revision is current at once, and replaces the one before it. Whoever approves what they have written is told so, and every paper says it. Under Safety settings an administrator can say that another person has to.

## Who reads it
Everybody in the company reads what is in force, unless “Who reads it” says otherwise: its author chooses under About while it is written, whoever approves it with the approval. “Management only” then stands beside its number, and nobody else finds it, in lists, files or search. Whoever approves reads all of them.

## Withdrawing
In the menu with the three dots whoever approves chooses “Withdraw”, and says why. It is out of force at once, and nobody is asked to sign it any more. Its words, signatures and papers are kept; the page and every paper say that it is withdrawn, and why. “Restore” puts it in force again, unless a later revision has come.

## Signing
Employees see on the dashboard, under “To sign”, what they must sign and by when, also the talks at which they were named; folded below it lies what is in force for everybody and nobody asks them for. The paper says the same at its top. Authors ask on the document’s page, and see who is missing.
1. Open it and read it.
2. At the end of the paper choose “Sign”. Draw your signature with a finger or the mouse, or type it. It stands under your own name, and the paper says when you signed.
3. Somebody without an account signs on your device: choose “A visitor”, and “Sign, then next” for each person. Colleagues sign under their own account.
4. Who has the right to signs “On behalf” of a person who can’t: both names are kept. The person is still asked.
How a signature was drawn is shown to authors and to whoever drew it. Only what is in force can be signed. A signature stands under the exact revision. It can’t be changed or removed, and the next revision is signed anew.

## Reviewing
The author and the administrators get an e-mail 30 days and 7 days before a review is due, and when it is. In the menu with the three dots choose “Review”: either nothing has changed, and whoever approves marks it as reviewed until the next date, or something has, and you begin the next revision.

## What was changed
Under “Revisions” choose two and compare them. Nothing that was complete is ever lost: “Delete” takes a document out of the lists, and “Restore” brings it back.

## Names
Screens and papers call people by name. The chain of evidence holds the username, which is never given to anybody else; it stands in brackets there, and in the record at the end of a paper.`,
  },
  {
    slug: 'coshh-assessments',
    title: 'COSHH assessments',
    summary: 'From the task to the control approach, the paper and the risk assessments that name it',
    allow: AUTHORS,
    text: `Under Safety, COSHH assessments. It is begun, completed, approved, signed and reviewed as a risk assessment is.

## The task first
Say what people do and how: the same product harms differently from a spray and from a brush. Then “Add a substance”: from your library, from the system templates, or as a new one from its data sheet. The assessment keeps what the library said when it was chosen.

## The control approach
1. Say how much is used at once, in which form, and how dusty or volatile it is.
2. The portal shows what COSHH Essentials proposes, and the formula: hazard group, amount, dustiness or volatility.
3. Choose “Confirm approach 2”, or whatever it is. Or choose “Another approach”, and say why it will do.
- A question mark means that the scheme can’t say: something is not known, or it is gas, fume, dust that the work makes, or a biological agent. It can’t be confirmed. Find out, or choose an approach and say why.
- Sensitisers, carcinogens and mutagens always go to expert advice.
- What is changed afterwards, so that the proposal is another one, is confirmed anew.

## The rest
People, with new or expectant mothers and young workers; controls from what removes the substance to what is only said; extraction, which is examined at least every 14 months; protective equipment with its standards; health surveillance, storage, first aid, fire, spillage and disposal. The check before “Complete and seal” shows old data sheets, overdue examinations, and where somebody chose another approach than the proposed one.

## In a risk assessment
Under Pictures and files of a risk assessment, choose “Add” beneath “Associated COSHH Assessments”. They are sealed and printed with it.`,
  },
  {
    slug: 'policies',
    title: 'Policies',
    summary: 'Setting up your policy, changing it, renewing it, and having people acknowledge it',
    allow: AUTHORS,
    text: `An employer of five or more people writes its safety policy down: what it means to do, who does what, and how. Under Safety, Policies, is yours. One is in force at a time, whatever its number.

## The first one
Choose “New policy” and a template of your trade, or “Set up our policy” at [your policy](/safety/policy/view) while there is none. Say who answers for the company, and who has each function; a template doesn’t know them. It is begun, completed, accepted and signed as every document is.

## Organisation
“Add a function” asks for the function, who has it, and their responsibilities, one on each line. Functions bring their usual responsibilities. What you type is offered in the next policy too.

## Arrangements
Tick what your company does; clear what it doesn’t. “New” writes an arrangement of your own, “Copy” makes one of a system template, “Edit” changes your own. The policy keeps each as it read when it was chosen. Somebody of the provider who works as one of your people can “Find More”.

## Changing it
1. Choose “Revise”, change it, and choose “Complete”.
2. Say what kind of change it is. After a material one everybody who was asked acknowledges the policy anew, and sees what has changed since they signed. A minor one, a telephone number say, carries their signatures on.
3. An administrator chooses “Accept”, and has the last word on the kind of change.

## Renewing it
A policy is reviewed every year, unless your company’s settings say otherwise. While it still holds, “Review or renew” and then “Renew for” that time moves the day of its next review; who did so, and when, is sealed with it. [Policies past their review](/sfp/safety-policy/expired) are listed by themselves.`,
  },
  {
    slug: 'substances',
    title: 'Substances',
    summary: 'What is on the label and in the data sheet of what you work with',
    allow: READERS,
    text: `Under Safety, Substances, is what your company works with, and the system templates: typical of such products, and no replacement for the supplier’s data sheet.

## Add one
1. Choose “New substance”, or open a template and choose “Copy to our library”.
2. Write down the label: hazard statements such as H314 are found by code or by words. Pictograms and signal word are proposed from them; change what your label says otherwise.
3. Under “The data sheet” bring the file and its date. It can be read by whoever reads the substance.
4. Under “Limits” choose “Add a limit” for each thing in it that has a workplace exposure limit. What is typed is looked for in EH40. Each says where it is from and how far its figures are to be trusted; one that the data sheet has not confirmed is marked as composed.

## What the marks mean
- Hazard group A to E, and S for skin and eyes, is that of COSHH Essentials; E, sensitisers, carcinogens and mutagens are for an expert.
- A question mark means that nobody knows: look into the data sheet. A substance is in group A without a statement only where “Not classified as hazardous to health” is switched on, because section 2 of its data sheet says so.
- A data sheet that is 36 months old is marked: ask the supplier for a newer one. The filter “Data sheet” finds them.

## What a change touches
A substance, and everything else in the libraries of hazards, PPE, statements and arrangements, says under “Where it is used” which documents have it, what holds those, and who has signed them. Documents keep what was said when they were written.
- Have all of those in force reviewed, or tick some of them first: they are due today. Say why: whoever reviews them reads it. It goes on while you do something else; “Long work” shows how far it is, stops it and goes on.
- A data sheet of a later date asks for the review of the assessments in force by itself.
- Retiring what is used asks first.`,
  },
  {
    slug: 'safety-settings',
    title: 'Safety settings',
    summary: 'Who approves, when documents are reviewed, how they are numbered, how risks are judged',
    allow: APPROVERS,
    text: `Under Safety, Safety settings. Each part is saved by itself, and says who changed it last. Where you say nothing, what your provider says holds.

## Approval
“Documents are approved by another person”: nobody approves what they have written or completed themselves.

## Review
How many months after its approval a document of each kind is due for review. The day is proposed as it is approved, and can be changed there. What is approved already keeps its day.

## Numbering
What stands before the numbers of each kind, and how many digits they have. The next number is shown as you type. Numbers that were given never change, and a prefix that would give one a second time is refused.

## Risk matrix
What probability and severity are called from 1 to 5, and which scores make a band: its name, its colour, what it demands of a residual risk, and what is to be done. The matrix beside it shows what you type.
- “It can’t be completed”: the residual risk has to be reduced first.
- “A reason, or a control to do”: somebody says why it is left, or what is still to do, with who sees to it and by when.
- A higher band never demands less. A risk of 25 needs a reason whatever you choose.
Drafts follow it at once; look at them again before you complete them. What is completed keeps the words and bands that held then. Templates have none: a copy follows your company.`,
  },
  {
    slug: 'forms',
    title: 'Changing a form',
    summary: 'Asking for more, or for less, in the documents of your company',
    allow: APPROVERS,
    text: `Above each list of documents, “Form” shows what its form asks for, and the versions that there have been.

## A new version
1. Choose “Change the form”.
2. Add questions, leave some out, move them, or call them otherwise. What a kind of document can’t do without, such as its title and the hazards, stays.
3. Say what is new, and choose “Publish”. A version stands as it is; to change it, publish the next one.

## What becomes of documents
- New documents begin with the newest version that fits best: of your company and the industry, of your company, of the industry, or as the portal brings it.
- What is being written keeps its version. Its author is told of the newer one and chooses “Use the new form”. What the new one has no field for is set aside, and shown, until it is put elsewhere or let go.
- What is sealed is read, printed and checked by the version that it was written with, for as long as it is kept.`,
  },
  {
    slug: 'toolbox-talks',
    title: 'Toolbox talks',
    summary: 'Writing a talk, presenting it, and the record of who was there',
    allow: READERS,
    text: `## Write one
Under Safety, Toolbox talks, choose “New toolbox talk”. Give it a title, say why it matters, and list the points to make. Choose “Complete”; an administrator then chooses “Accept”. To change an accepted talk choose “Replace”.

## Plan it
Under Safety, Talk schedule, choose “Plan a talk”: which talk, in which week, who presents it and where. Talks of the season, and those that were not given for long, suggest themselves. Whoever presents it is told at once, on the Friday before, on the Monday, and on the Friday of that week where it has not been given; “Talks to present” on their dashboard has it too. “Present” begins its record, and the plan is ticked off: also where the talk is presented from its own page, in that week or within four weeks, by the same person or at the same place.

## Present it
1. Open the talk and choose “Present”. Say who presents it, where and when, and choose “Begin”.
2. Name the people who are there, one name to a line, and choose “Add”.
3. Give the talk. Whoever has an account opens the record and signs beside their own name. Visitors sign on your device, one after the other: “Next” is the next of them. Without a connection what is signed is kept on the device, and sent when it is back, also after the page was closed. “On behalf” is for those who have the right to, and keeps both names.
4. Mark as absent who should have been there, and say why. A name that was added by mistake can be taken off the list.
5. Choose “Close the record”. Everybody named must have signed or be absent; a closed record stands as it is.
6. Who was there and has not signed can still sign while the talk is in force: by “Sign late” beside their name, or below the list. It is marked as late, with the time.
7. What people have signed for (who presented the talk, where and when) is put right by safety administrators: “Correct what people signed for”, with the reason, while the record is open. What they signed stays beside it, and each of them is told.

## Afterwards
“Talks presented” lists every occasion, with the number of signatures. “View PDF” on a record prints the talk with everybody’s signature.`,
  },
  {
    slug: 'custom-forms',
    title: 'Custom forms',
    summary: 'Checks of your own: building one, filling it in on site, and what comes of it',
    allow: READERS,
    text: `Under Safety, Custom forms.

## Fill one in
1. Open the form and choose “Fill in”; those that you are to fill in stand on your dashboard, with the day. Go through the steps; what is asked further depends on what you answer.
2. Take photos, sign, and choose “Send”. What is missing is named, with the way there.
3. Without a connection everything is kept on your device, photos too, and sent when there is one again. What you have begun and not sent is there when you come back.
What was sent stands: nobody changes it. You find your own under the form; those who write safety documents find all.

## Build one
1. Choose “New form”, or open a ready-made one and choose “Copy to our forms”.
2. Name it, add steps and questions, and say how each is answered and whether it must be. “Asked only where” shows a question only after a certain answer.
3. Give choices points where the form is to be scored, and a pass mark. A choice without points, such as “Not applicable”, leaves its question out.
4. Look at the preview, which is as on a phone, and choose “Publish”. From then on it can be filled in.
A version that is published never changes: change the form and publish the next one. Whoever is filling in the one before can finish it.

## Have it filled in again and again
Under “Who fills it in, and when” choose “Choose who, and how often”: somebody whom the form is for, how often, from which day, and where. They are reminded on the day, the day after, and a week later. What they fill in puts it on to the next day.

## What comes of it
- Under the form stand all that were filled in, with their score. Each opens, and prints as a PDF.
- “Answers as XLSX” and “Answers as CSV” give a row for each, with a column for each question.`,
  },
  {
    slug: 'your-consultant',
    title: 'Asking your consultant',
    summary: 'A question about a document, and who has opened yours',
    allow: AUTHORS,
    text: `## Asking
On a document's page, “Your consultant”, choose “Ask your consultant” and say what you would like to know. The answer comes by e-mail, in the bell, and stands beside the document. One question at a time is open about a revision; it can be withdrawn until it is answered.

## Who has opened your documents
A consultant of your provider can read your documents. Each time is written down under Settings, “Opened by your provider”, for those who run the company.`,
  },
] satisfies Article[]
