import { Alert, Button, FileButton, Group, Text, Title } from '@mantine/core'
import { IconEyeOff, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { ApiError } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord, useList, useSaveRecord } from '#web/api/resources.ts'
import { EditableField } from '#web/forms/editable.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { useFileUrl } from '#web/uploads/fetch.ts'
import { UploadsProgress } from '#web/uploads/progress.tsx'
import { useDocumentUploads } from '#web/uploads/queue.ts'
import { client } from '../clients/client.ts'
import css from './letterhead.module.css'
import { letterhead } from './letterhead.ts'
import { LetterheadLines } from './lines.web.tsx'

interface Props {
  readonly head: Head | undefined
  readonly company: string
}

type Head = RecordOf<typeof letterhead>

/** A logo that was refused because it is barely visible on its background, and the error message. */
interface Unseen {
  readonly logo: string
  readonly why: string
}

const BACKGROUND_LABELS = { white: 'Print on white', dark: 'Print on a dark background' } as const

/** A company's logo. If the logo is barely visible on its background, the page offers the other background. */
function LetterheadLogo({ head, company }: Props) {
  const save = useSaveRecord(letterhead)
  const [unseen, setUnseen] = useState<Unseen>()
  const ground = head?.logoGround === 'dark' ? 'dark' : 'white'
  const other = ground === 'dark' ? 'white' : 'dark'
  const set = (logo: string | null, logoGround: keyof typeof BACKGROUND_LABELS = ground) => {
    setUnseen(undefined)
    save.mutate(
      { ...(head ? { id: head.id } : {}), values: { logo, logoGround } },
      {
        onSuccess: () => toast.saved('the logo'),
        onError: (e) => {
          const why = e instanceof ApiError && e.violations.find((v) => v.propertyPath === 'logoGround')?.message
          if (why && logo && logoGround === ground) setUnseen({ logo, why })
          else toast.failed(e)
        },
      },
    )
  }
  const { uploads, add, retry, remove } = useDocumentUploads({ place: 'logo', onDone: (file) => set(file['@id']) })
  const logo = iriIn(head?.logo)
  return (
    <section className={page.card} aria-labelledby="letterhead-logo">
      <Title order={2} size="h4" id="letterhead-logo">
        Logo
      </Title>
      {logo ? (
        <Shown logo={logo} says={head?.logoText || company} ground={ground} />
      ) : (
        <Text c="dimmed">No logo yet: your documents show only the company’s name.</Text>
      )}
      {unseen && (
        <Alert color="yellow" icon={<IconEyeOff aria-hidden />} title="This logo can hardly be seen">
          <Text mb="sm">{unseen.why}.</Text>
          <Button variant="default" loading={save.isPending} onClick={() => set(unseen.logo, other)}>
            {BACKGROUND_LABELS[other]}
          </Button>
        </Alert>
      )}
      <UploadsProgress uploads={uploads} onRetry={retry} onRemove={remove} />
      <Group gap="sm">
        <FileButton accept="image/*,.heic,.heif" onChange={(file) => file && add([file])}>
          {(props) => (
            <Button
              {...props}
              variant={logo ? 'default' : 'filled'}
              disabled={save.isPending || uploads.some((u) => u.state !== 'failed')}
              leftSection={<IconUpload size={16} aria-hidden />}
            >
              {logo ? 'Choose another picture' : 'Choose a picture'}
            </Button>
          )}
        </FileButton>
        {logo && (
          <Button variant="subtle" disabled={save.isPending} onClick={() => set(null)}>
            Remove logo
          </Button>
        )}
      </Group>
      {head && logo && (
        <div className={page.facts}>
          <EditableField resource={letterhead} record={head} name="logoText" />
          <EditableField resource={letterhead} record={head} name="logoGround" />
        </div>
      )}
    </section>
  )
}

interface ShownProps {
  readonly logo: string
  readonly says: string
  readonly ground: keyof typeof BACKGROUND_LABELS
}

/** Preview of the logo on its background, as it will be printed. */
function Shown({ logo, says, ground }: ShownProps) {
  const { url, failed } = useFileUrl(`${logo}/thumbnail`)
  return (
    <div className={css.paper} data-ground={ground}>
      {url ? (
        <img src={url} alt={says} />
      ) : (
        <Text size="sm">{failed ? 'The picture could not be loaded' : 'Loading …'}</Text>
      )}
    </div>
  )
}

const iriIn = (given: unknown): string | undefined =>
  typeof given === 'string' ? given : ((given as { '@id'?: string } | null | undefined)?.['@id'] ?? undefined)

/** Layout settings for a company's documents: the logo, and the header and footer lines with a sample page. */
export function LetterheadLayout() {
  const { clientId } = useActor()
  const company = useApiRecord(client, clientId)
  const heads = useList(letterhead)
  const failed = [company, heads].find((q) => q.isError)
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  if (!(company.data && heads.data)) return <LoadingRows rows={6} />
  const [head] = heads.data['hydra:member']
  return (
    <>
      <LetterheadLogo head={head} company={company.data.company ?? ''} />
      <LetterheadLines head={head} />
    </>
  )
}
