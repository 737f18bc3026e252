/** Does work as somebody whom modes refuse: root is another user meanwhile, since no mode refuses root. */
export async function denied<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
