interface Decided {
  readonly author?: string | null
  readonly completedBy?: string | null
  readonly authorUsername?: string | null
  readonly isTemplate?: boolean | null
}

/** Did this person write or complete the revision? Whoever makes a new one writes it. */
export const isOwnWork = ({ author, completedBy }: Decided, username: string): boolean =>
  (author ?? username) === username || completedBy === username

/** Was it approved by whoever wrote or completed it? Templates are nobody's work in particular. */
export const isSelfApproved = (revision: Decided): boolean =>
  Boolean(revision.authorUsername) && !revision.isTemplate && isOwnWork(revision, revision.authorUsername ?? '')
