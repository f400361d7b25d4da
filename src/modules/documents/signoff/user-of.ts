import { idAtEnd } from '#kernel/iri.ts'
import type { RecordOf } from '#kernel/resource.ts'
import type { signOffPerson } from './sign-off.ts'

/** Whose a standing is, by user id. */
export const userOf = ({ user }: Pick<RecordOf<typeof signOffPerson>, 'user'>): number => idAtEnd(user?.['@id']) ?? 0
