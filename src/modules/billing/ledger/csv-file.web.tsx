import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { fetchFile, saveToDisk } from '#web/api/file.ts'
import { toast } from '#web/ui/toast.ts'

/** Button that downloads a URL as a file. */
export function CsvDownloadButton({ url, words = 'CSV file' }: { readonly url: string; readonly words?: string }) {
  const file = useMutation({
    mutationFn: async () => {
      const { bytes, name } = await fetchFile(url)
      saveToDisk(bytes, name ?? 'export.csv')
    },
    onError: (e) => toast.failed(e),
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={file.isPending}
      onClick={() => file.mutate()}
    >
      {words}
    </Button>
  )
}
