import { Alert, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { PublicLinkPage } from '#web/shell/pages/link-page.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { readAndUnderstoodStatement } from '../signing/hand-words.ts'
import { ReadAndSign } from '../signing/link-form.web.tsx'
import { buildDocumentTypeComponents, type LazyDocumentType } from '../types/kind.web.ts'
import type { SharedDocument } from './signing-link.ts'

interface PageProps {
  readonly kinds: readonly LazyDocumentType[]
}

/** Loads the components of a document's type, for a reader who has not signed in. */
export const useLinkedDocumentType = (kinds: readonly LazyDocumentType[], kind: string) =>
  useQuery({
    queryKey: ['parts of documents', 'shared', kind],
    queryFn: async () => {
      const info = kinds.find((one) => one.kind === kind)
      if (!info) throw new Error(`Unknown document type ${kind}`)
      return buildDocumentTypeComponents((await info.load()).default, kinds)
    },
    staleTime: Number.POSITIVE_INFINITY,
    meta: { persist: false },
  })

/** Public page for the signing link of a document, which needs no sign-in: everything is read, then signed by hand. */
export function DocumentSigningPage({ kinds }: PageProps) {
  const { token = '' } = useParams()
  const at = `/api/safety/shared_documents/${token}`
  return (
    <PublicLinkPage<SharedDocument>
      at={at}
      title="Document to sign"
      titleOf={({ document }) => document?.title}
      closedTitle="This document can’t be signed"
      narrow
    >
      {({ document, company }) => <DocumentToSign key={token} {...{ at, token, kinds, company }} latest={document} />}
    </PublicLinkPage>
  )
}

interface Props extends PageProps {
  readonly at: string
  readonly token: string
  readonly company: string
  /** Undefined once the link no longer works. */
  readonly latest: SharedDocument['document']
}

/** The document as it was opened. It stays while it is signed, so that a drawing isn't lost when the link is withdrawn. */
function DocumentToSign({ latest, ...props }: Props) {
  const [document, setDocument] = useState(latest)
  const [first] = useState(latest?.id)
  const [signed, setSigned] = useState(false)
  if (latest && latest !== document && !signed) setDocument(latest)
  return document ? (
    <ReadDocument {...props} document={document} isNewer={document.id !== first} onSigned={() => setSigned(true)} />
  ) : null
}

interface ReadProps extends Omit<Props, 'latest'> {
  readonly document: NonNullable<SharedDocument['document']>
  /** True if this revision came into force after the page was opened. */
  readonly isNewer: boolean
  readonly onSigned: () => void
}

function ReadDocument({ at, token, kinds, company, document, isNewer, onSigned }: ReadProps) {
  const { id, number, revision, until, kind } = document
  const type = useLinkedDocumentType(kinds, kind)
  return (
    <>
      <Text>{`${number}, revision ${revision}. This link works until the end of ${formatIsoAsUkDate(until)}.`}</Text>
      {isNewer && (
        <Alert color="yellow" role="alert">
          {`Revision ${revision} has replaced the one you opened. If you signed that one, the signature was not confirmed. Please read and sign revision ${revision}.`}
        </Alert>
      )}
      {type.error ? (
        <ErrorState error={type.error} onRetry={() => void type.refetch()} />
      ) : type.data ? (
        <ReadAndSign
          {...{ at, token, company }}
          parts={type.data}
          document={id}
          called={`${number} revision ${revision}`}
          statement={readAndUnderstoodStatement(type.data.kind)}
          people={[]}
          asksTrade
          onSigned={onSigned}
          whole
          body={(opened) => ({ document: id, opened: opened.map(({ part, seconds }) => ({ part, seconds })) })}
        />
      ) : (
        <Skeleton height={320} />
      )}
    </>
  )
}
