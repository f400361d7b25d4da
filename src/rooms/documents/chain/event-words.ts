/** What each thing that a link of a chain tells of is called, by its name in the chain. */
export const EVENT_WORDS: Readonly<Record<string, string>> = {
  completed: 'Sealed',
  approved: 'Approved',
  rejected: 'Rejected',
  replaced: 'Replaced by the next revision',
  'review moved': 'Review date moved',
  'audience changed': 'Readers changed',
  withdrawn: 'Withdrawn',
  retired: 'Deleted',
  restored: 'Restored',
  signed: 'Signed',
  sent: 'Sent by e-mail',
  printed: 'Print kept',
  adopted: 'Sealed anew as it stood',
  closed: 'Closed',
  'signed late': 'Signed late',
}
