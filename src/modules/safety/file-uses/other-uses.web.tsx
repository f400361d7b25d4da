import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import page from '#web/ui/page.module.css'
import { useOtherFileUses } from '#web/uploads/other-uses.ts'

/** Places outside documents where a file is used. Renders nothing if there are none. */
export default function FileUsesOutsideDocuments({ record }: { readonly record: { readonly '@id': string } }) {
  const uses = useOtherFileUses(record['@id']).data ?? []
  if (!uses.length) return null
  return (
    <section className={page.card} aria-labelledby="other-uses">
      <h2 id="other-uses">Also used as</h2>
      <ul>
        {uses.map((use) => (
          <li key={use['@id']}>
            <Anchor component={Link} to={use.path}>
              {use.as}
            </Anchor>
          </li>
        ))}
      </ul>
    </section>
  )
}
