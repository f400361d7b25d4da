interface Decided {
  readonly author?: string | null
  readonly completedBy?: string | null
  readonly authorUsername?: string | null
  readonly isTemplate?: boolean | null
}

/** Returns true if the user wrote or completed the revision, or is creating it. */
export const isOwnRevision = ({ author, completedBy }: Decided, username: string): boolean =>
  (author ?? username) === username || completedBy === username

/**
 * Returns true if the person who wrote or completed the revision also approved it. Always returns false for templates.
 */
export const isSelfApproved = (revision: Decided): boolean =>
  Boolean(revision.authorUsername) && !revision.isTemplate && isOwnRevision(revision, revision.authorUsername ?? '')
