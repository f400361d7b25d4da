import { useQuery } from '@tanstack/react-query'
import { idAtEnd } from '#kernel/iri.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { type Collection, call } from '#web/api/client.ts'
import type { KindFace } from '../kinds/kind-face.ts'
import { signOffPerson } from './sign-off.ts'

/** What somebody is asked to sign. */
export type Asked = RecordOf<typeof signOffPerson>

/** What the person who looks is asked to sign and has not, the first due first. */
export const OWN_ASKED = `${signOffPerson.url}/mine`

/** The same, as it stands now. */
export const useOwnAsked = (enabled = true) =>
  useQuery({
    queryKey: [signOffPerson.url, 'list', 'mine'],
    queryFn: ({ signal }) => call<Collection<Asked>>('GET', OWN_ASKED, undefined, { signal }),
    enabled,
  })

/** Where it is read and signed. */
export function placeOfAsked(kinds: readonly KindFace[], { document }: Pick<Asked, 'document'>): string {
  const screens = kinds.find((k) => k.kind === document?.kind)?.screens
  return screens && document ? `${screens.list}/view/${idAtEnd(document['@id'])}` : '/dashboard'
}
