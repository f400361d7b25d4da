import type { Article } from '#web/shell/manifest/article.ts'

export default [
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
Sign out in the menu at the top right. If you forgot to, open “Sign-in and security” on your own device and choose “Sign out there”.`,
  },
  {
    slug: 'second-factor',
    title: 'A second factor',
    summary: 'Authenticator app, passkeys and recovery codes, and what to do when the phone is lost',
    allow: 'anonymous',
    text: `With a second factor, somebody who has found out your password still can’t sign in as you. Some people must have one; everybody may.

## Setting it up
1. Choose “Sign-in and security” in the menu at the top right. Where you must have one, the portal asks at your first sign-in.
2. Choose an authenticator app on your phone, or a passkey: your fingerprint, your face, your screen lock or a security key.
3. Keep the ten recovery codes where your password is not. They are shown once, and each works once.

Have two: an app and a passkey, or two passkeys. Then a lost phone is no trouble.

## When you sign in
After your password, give the code that the app shows, or let the browser ask for your passkey. A code works once; the next comes within half a minute.

## Asked again
Before you work as a client or change people, the portal asks once more, unless you have proved who you are within the last ten minutes.

## When the phone is lost
Sign in with a recovery code, then remove the app and set up another. Without recovery codes, ask your administrator: they can take your second factor away, and you begin anew.

## For administrators
Open the person under Settings, “Users”, and choose “Second factor”. Make sure first that it is really them who asks: call them back. They are signed out everywhere and told by e-mail.`,
  },
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
5. You look only at first. What you click to change something asks once why; the client can read that too. Then it goes on.

What you write is recorded under your own name, with the name of the person you worked as.

## For client administrators
Settings, “Visits” lists every visit: who, as whom, why, and from when to when. It can’t be changed or removed by anybody.`,
  },
] satisfies Article[]
