import '@mantine/core/styles/Table.layer.css'
import { Stack, Table, Text, Title } from '@mantine/core'
import { usePortalInfo } from '#web/shell/pages/facts.ts'
import { PageTitle } from '#web/ui/page-title.tsx'

const MADE_WITH = [
  ['React', 'MIT'],
  ['React Router', 'MIT'],
  ['TanStack Query', 'MIT'],
  ['Mantine', 'MIT'],
  ['Tabler Icons', 'MIT'],
  ['Fastify', 'MIT'],
  ['PostgreSQL', 'PostgreSQL licence'],
]

/** About page with the portal's version and third-party licences. */
export default function AboutPage() {
  const facts = usePortalInfo()
  return (
    <Stack maw="70ch">
      <PageTitle>About this portal</PageTitle>
      <Text>
        {facts
          ? `${facts.provider} runs this portal on Stanchion, version ${facts.version}.`
          : 'This portal runs on Stanchion.'}{' '}
        The portal stores your sales, safety and staff records in one place, separate from other companies’ records.
      </Text>
      {facts?.demoNote && <Text>{facts.demoNote}</Text>}
      <Title order={2}>Data on your device</Title>
      <Text>
        The portal stores the following on your device: a cookie that keeps you signed in and can’t be read by scripts;
        your preferences, such as the appearance; and the portal’s own files, so that it opens without a connection. The
        portal loads no scripts, fonts or pictures from other sites and does not track you.
      </Text>
      <Title order={2}>Third-party licences</Title>
      <Text>The portal uses the following software, under these licences:</Text>
      <Table aria-label="Third-party licences">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Software</Table.Th>
            <Table.Th scope="col">Licence</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {MADE_WITH.map(([name, licence]) => (
            <Table.Tr key={name}>
              <Table.Td>{name}</Table.Td>
              <Table.Td>{licence}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  )
}
