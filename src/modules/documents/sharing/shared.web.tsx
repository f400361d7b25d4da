import { Anchor, Button, Skeleton } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useParams } from 'react-router'
import { idFromAnyIri } from '#kernel/iri.ts'
import { formatCountWithNoun } from '#kernel/text.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { formatIsoAsUkDate, formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { PublicLinkPage } from '#web/shell/pages/link-page.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { UploadUrlContext } from '#web/uploads/fetch.ts'
import { recordValuesByForm } from '../forms/record-form.ts'
import { useComponentsWithForm } from '../forms/record-form.web.ts'
import { SharedDocumentSheet } from '../printing/paper.web.tsx'
import type { DocumentPart } from '../signing/hand-words.ts'
import { type LoadedPart, PartList, type PartSource } from '../signing/parts.web.tsx'
import { openedParts, useReadProgressOf } from '../signing/read-progress.web.ts'
import { useLinkedDocumentType } from '../signing-links/page.web.tsx'
import type { DocumentTypeComponents, LazyDocumentType } from '../types/kind.web.ts'
import { PackAnswerSection } from './answer.web.tsx'
import type { SharedPack } from './pack-link.ts'
import css from './shared.module.css'

interface Props {
  readonly kinds: readonly LazyDocumentType[]
}

/**
 * Public page for a pack link, which needs no sign-in. Shows the company and the complete pack, which its reader then
 * accepts or rejects.
 */
export function SharedPackPage({ kinds }: Props) {
  const { token = '' } = useParams()
  const at = `/api/safety/shared_packs/${token}`
  return (
    <PublicLinkPage<SharedPack>
      at={at}
      title="RAMS pack"
      titleOf={({ pack }) => pack?.title}
      closedTitle="This pack is no longer available"
    >
      {({ pack, company, newer }) =>
        pack ? (
          <>
            <p className={css.about}>
              {`${pack.number}, revision ${pack.revision}`}
              {pack.approvedAt && `, approved on ${formatIsoAsUkDateTime(pack.approvedAt)}`}
              {`. This link expires on ${formatIsoAsUkDate(pack.until)}.`}
            </p>
            <p className={css.about}>
              {pack.signatures
                ? `${formatCountWithNoun(pack.signatures, 'signature')[0]} so far: the file includes ${pack.signatures === 1 ? 'it' : 'them'}.`
                : 'No signatures yet.'}
            </p>
            <Button
              component="a"
              href={`${at}/pdf`}
              target="_blank"
              size="md"
              variant="default"
              className={css.file ?? ''}
              leftSection={<IconFileTypePdf size={18} aria-hidden />}
            >
              Open pack
            </Button>
            <PackToRead {...{ at, token, kinds, pack, company }} />
          </>
        ) : (
          newer && <NewerRevision at={at} newer={newer} />
        )
      }
    </PublicLinkPage>
  )
}

/** Button that opens the revision in force. Shown only if that revision was also shared with the recipient. */
function NewerRevision({ at, newer }: { readonly at: string; readonly newer: NonNullable<SharedPack['newer']> }) {
  const open = useMutation({
    mutationFn: () => callApi<{ address: string }>('POST', `${at}/newer`, {}),
    onSuccess: ({ address }) => location.assign(new URL(address).pathname),
    onError: (e) => toast.failed(e),
  })
  return (
    <Anchor component="button" type="button" className={css.file ?? ''} onClick={() => open.mutate()}>
      {`Open ${newer.number}, revision ${newer.revision}`}
    </Anchor>
  )
}

interface ReadProps extends Props {
  readonly at: string
  readonly token: string
  readonly pack: NonNullable<SharedPack['pack']>
  readonly company: string
}

/** Loads the components of the pack's type, and shows the pack with its documents. */
function PackToRead(props: ReadProps) {
  const { kinds, pack } = props
  const parts = useLinkedDocumentType(kinds, pack.kind)
  if (parts.error) return <ErrorState error={parts.error} onRetry={() => void parts.refetch()} />
  return parts.data ? <WholePack {...props} parts={parts.data} /> : <Skeleton height={320} />
}

function WholePack({ at, token, pack, company, parts }: ReadProps & { readonly parts: DocumentTypeComponents }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  // The secret, the last part of the token, is not stored in the browser.
  const { progress, add } = useReadProgressOf(`link ${token.split('-', 2).join(' ')} ${pack.id}`)
  const found = useQuery({
    queryKey: [`${at}/parts`],
    queryFn: ({ signal }) => callApi<Collection<DocumentPart>>('GET', `${at}/parts`, undefined, { signal }),
    meta: { persist: false },
  })
  const own = useQuery({
    queryKey: [`${at}/parts/${pack.id}`],
    queryFn: ({ signal }) => callApi<LoadedPart>('GET', `${at}/parts/${pack.id}`, undefined, { signal }),
    meta: { persist: false },
  })
  const withForm = useComponentsWithForm(parts, own.data?.form)
  const source = useMemo((): PartSource => {
    const file = (iri: string) => `${at}/files/${idFromAnyIri(iri) ?? 0}`
    return { part: (id) => `${at}/parts/${id}`, file: (iri) => `${file(iri)}/file`, ask: company, company }
  }, [at, company])
  const urlOf = useMemo(() => (iri: string) => `${at}/files/${idFromAnyIri(iri) ?? 0}`, [at])
  const all = found.data?.['hydra:member']
  const left = all?.filter((part) => part.readable && !progress[part['@id']]?.ended)
  if (own.error) return <ErrorState error={own.error} onRetry={() => void own.refetch()} />
  return (
    <UploadUrlContext value={urlOf}>
      {withForm && own.data ? (
        <div className={page.card}>
          <SharedDocumentSheet
            parts={withForm}
            record={recordValuesByForm(own.data.form, own.data.record)}
            usual={parts.kind.schema}
            company={company}
          />
        </div>
      ) : (
        <Skeleton height={320} />
      )}
      <PartList
        {...{ parts, source, all, progress, open }}
        error={found.error}
        onOpen={setOpen}
        onRead={add}
        onRetry={() => void found.refetch()}
      />
      <PackAnswerSection at={at} company={company} pack={pack} left={left} opened={openedParts(all ?? [], progress)} />
    </UploadUrlContext>
  )
}
