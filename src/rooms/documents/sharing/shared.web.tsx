import { Alert, Button } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useParams } from 'react-router'
import { countOf } from '#kernel/text.ts'
import { call } from '#web/api/client.ts'
import { showDay, showMoment } from '#web/dates/uk-dates.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { sentence } from '#web/ui/say.ts'
import { LoadingRows } from '#web/ui/states.tsx'
import type { SharedPack } from './pack-link.ts'
import css from './shared.module.css'

/** What the link of a pack opens: whose it is, what stands in it, and all of it as one file. Nobody signs in for it. */
export default function SharedPackPage() {
  const { token = '' } = useParams()
  const at = `/api/safety/shared_packs/${token}`
  const { data, error } = useQuery({
    queryKey: [at],
    queryFn: ({ signal }) => call<SharedPack>('GET', at, undefined, { signal }),
    retry: false,
  })
  const isOpen = data?.pack !== undefined
  useEffect(() => {
    // Whoever reads the pack is not kept from it where this fails.
    if (isOpen) call('POST', `${at}/opened`, {}, { byItself: true }).catch(() => undefined)
  }, [at, isOpen])
  if (!data)
    return (
      <div className={css.open}>
        <PageTitle>{error ? 'This link does not work' : 'RAMS pack'}</PageTitle>
        {error ? (
          <Alert color="red" role="alert">
            {sentence(error)}
          </Alert>
        ) : (
          <LoadingRows rows={8} />
        )}
      </div>
    )
  const { company, logo, pack, sentence: closed } = data
  return (
    <div className={css.open}>
      <header className={css.head}>
        {logo && <img src={logo} alt="" className={css.logo} />}
        <strong>{company}</strong>
      </header>
      <PageTitle>{pack ? pack.title : 'This pack can’t be opened any more'}</PageTitle>
      {closed && (
        <Alert color="yellow" role="status">
          {closed}
        </Alert>
      )}
      {pack && (
        <>
          <p className={css.about}>
            {`${pack.number}, revision ${pack.revision}`}
            {pack.approvedAt && `, approved on ${showMoment(pack.approvedAt)}`}
            {`. This link opens until ${showDay(pack.until)}.`}
          </p>
          <p className={css.about}>
            {pack.signatures
              ? `${countOf(pack.signatures, 'signature')[0]} so far: the file has ${pack.signatures === 1 ? 'it' : 'them'}.`
              : 'Nobody has signed it yet.'}
          </p>
          <Button
            component="a"
            href={`${at}/pdf`}
            target="_blank"
            size="md"
            className={css.file ?? ''}
            leftSection={<IconFileTypePdf size={18} aria-hidden />}
          >
            Open the whole pack
          </Button>
          <section aria-labelledby="papers">
            <h2 id="papers">Papers</h2>
            <ol className={css.papers}>
              {pack.papers.map((paper) => (
                <li key={`${paper.number} ${paper.title}`}>
                  {paper.title} <span className={css.about}>{paper.number}</span>
                  {paper.notes && <p className={css.about}>{paper.notes}</p>}
                </li>
              ))}
            </ol>
          </section>
        </>
      )}
    </div>
  )
}
