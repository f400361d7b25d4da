import type { HelpArticleSource } from '#web/shell/manifest/article.ts'
import { USER_MANAGER_ROLES } from './people/user.ts'

export default [
  {
    slug: 'sign-in',
    title: 'Signing in',
    summary: 'Username, password, client number, and help when sign-in fails',
    allow: 'anonymous',
    text: `Your administrator sent you an e-mail with your username and a link to choose a password.

## If you can’t sign in
- Check that Caps Lock is off, and choose the eye in the password field to see what you have typed.
- The portal never says whether the username or the password was wrong, so that strangers can’t find out who has an account.
- After eight wrong attempts the account is locked for 15 minutes. After that, the right password works again.
- If your username exists in several companies, the portal asks for your client number. It is in the e-mail with your username.

## If you have forgotten your password
1. On the sign-in page, choose “Forgotten password”.
2. Type your username or your e-mail address.
3. Open the link in the e-mail within an hour. It works once.
4. Choose a password of at least ten characters. Three unrelated words are easy to remember and hard to guess.

## When your session ends
The portal asks you to sign in again on the same page. What you have typed is not lost.

## On a shared device
Sign out in the menu at the top right. If you forgot to sign out, open “Sign-in and security” on your own device and choose “Sign out there”.`,
  },
  {
    slug: 'second-factor',
    title: 'Second factor',
    summary: 'Authenticator app, passkeys, recovery codes, and a lost phone',
    allow: 'anonymous',
    text: `With a second factor, somebody who knows your password still can’t sign in as you. Some users must have one; everybody can.

## Setting up a second factor
1. Choose “Sign-in and security” in the menu at the top right. If a second factor is required, the portal asks for it at your first sign-in.
2. Choose an authenticator app on your phone, or a passkey: your fingerprint, your face, your screen lock or a security key.
3. Save the ten recovery codes, but not with your password. They are shown once, and each works once.

Set up two: an app and a passkey, or two passkeys. Then you can still sign in if you lose your phone.

## Signing in
After your password, enter the code shown in the app, or use your passkey. A code works once; the next one appears within 30 seconds.

## Confirming again
Before you work as a client or manage users, the portal asks for your second factor again, unless you confirmed it within the last ten minutes.

## If you lose your phone
Sign in with a recovery code, then remove the app and set up another. If you have no recovery codes, ask your administrator to remove your second factor, then set it up again.

## For administrators
First call the user back to make sure that the request really comes from them. Then go to Settings > Users, open the user and choose “Second factor”. When you remove the second factor, the user is signed out everywhere and notified by e-mail.`,
  },
  {
    slug: 'users-and-roles',
    title: 'Users and their roles',
    summary: 'Adding users, and roles that control money, access or confidential data, which a second person confirms',
    allow: USER_MANAGER_ROLES,
    text: `Add users under Settings > Users. They choose their password with a link that is sent to their e-mail address.

## Roles that control money, access or confidential data
Some roles control money, other people’s access or confidential data, such as “Company administrator”, “Invoicing and finance” and “Human resources”. You can’t give yourself a role. If you give such a role to somebody else or restore a user who has one, the role waits until another administrator confirms it, or for 24 hours. Everybody else with a role that controls money or access is notified at once, so that a mistake or a stolen account is noticed in time. Other roles apply at once, and so does removing a role.

To confirm or cancel a change, open the user. Removing the tick of a waiting role cancels it too. You can’t confirm a change that you requested or that is for you.

## E-mail addresses and passwords of these users
A new e-mail address for a user with such a role waits in the same way if somebody else enters it. You can’t set their password: send them a link to choose one. The same applies to all users if your provider makes the change.

Until somebody else in your company has signed in, all changes apply at once.`,
  },
  {
    slug: 'signing-pin',
    title: 'Signing PIN',
    summary: 'The PIN for signatures on somebody else’s device',
    allow: 'member',
    text: `Your company may require a signing PIN when you sign for a toolbox talk on the presenter’s device, or by link without signing in. It is evidence that you signed yourself.

## Setting your PIN
1. Choose “Sign-in and security” in the menu at the top right, then “Set PIN”.
2. Enter six digits, twice. Repeated digits and sequences are refused. Don’t use your birthday.

The portal asks for your password or second factor first, unless you confirmed it within the last ten minutes. You are notified whenever your PIN is set, changed or removed.

## Using your PIN
Enter it yourself on the presenter’s device, next to your signature. Never share it with anybody: neither the presenter nor an administrator needs it. The record says “PIN checked”. If you have no PIN, it says “no PIN set”. By link, you can’t sign without a PIN, but you can sign in and sign under your own account.

After five wrong PINs within 15 minutes, your PIN is not accepted from that presenter for 15 minutes and you are notified. After ten in a day, it is not accepted from them for a day. Other presenters can still take your signature, and you can sign on your own phone. A hundred wrong PINs in a day from all presenters together block it everywhere for a day.

Without a connection, the PIN is encrypted on the device and checked when the signature is sent. If it was wrong, the record says “PIN did not match”, and you and the presenter are notified.

## If you forget your PIN
Set a new one in the same place. The old one is not needed.

## For administrators
Go to Settings > Users, open the user and choose “Signing PIN” to remove a PIN. You can neither see nor set it.`,
  },
  {
    slug: 'working-as-a-client',
    title: 'Working as a client',
    summary: 'How provider staff help in a client’s portal, and what the client sees',
    allow: ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN'],
    text: `Provider staff can work in a client’s portal as one of the client’s users, to see what they see and to help.

## For provider staff
1. Choose “Work as a client…” in the menu at the top right, or find the client with Ctrl K.
2. Choose the client and the user. You get exactly that user’s rights.
3. Enter the reason. The client can read it.
4. The yellow banner shows the user, the client and the reason, and counts down from 30 minutes. “Switch back” returns you to your own account and the lead list.
5. At first you can only read. When you first change something, the portal asks for a reason, which the client can read too, and then continues. Approving, signing, sending and other acts that commit the user are not available.

What you write is recorded under your own name, with the name of the user you worked as.

## For client administrators
Go to Settings > Security log > Impersonation log to see who worked in your portal, as which user, why and when. Nobody can change or delete an entry. Administrators are notified of changes within about 15 minutes; the log lists them.`,
  },
  {
    slug: 'confidential-reads',
    title: 'Reads of confidential data',
    summary: 'The log of reads of confidential data, for administrators',
    allow: 'ROLE_CLIENT_ADMIN',
    text: `Some data is confidential, such as drawn signatures. Only some roles, and the person concerned, can read it. Each read is logged under Settings > Confidential data: who read it, with the reader, the record and the time. The log never contains the data itself, and nobody can change or delete an entry.

## Reading the log
- “Read by” is the real person. If your provider’s staff worked as one of your users, “Working as” names that user.
- “Reader” shows whether the reader belongs to your company or to your provider.
- Filter by date, type of record or reader, or search for a username. Export the log as CSV or Excel from the menu of the list.
- On a record with confidential data, “Confidential data: who read it” shows the latest reads of that record.

Entering a value is not a read; the record’s own history shows who entered it. A file of yours that your provider’s staff open is logged here too, once in 15 minutes for each person.

## Who can read the log
Your company’s administrators. Your provider’s staff can read it only while working as one of them, which the impersonation log shows.

The tab “Documents opened by your provider” lists the documents that your provider’s staff opened under their own names.`,
  },
] satisfies HelpArticleSource[]
