// sessionStorage holds ten megabytes: values beyond the quota are rejected, and removed ones make room.
const outcome = (label, work) => {
  try {
    console.log(label, work());
  } catch (error) {
    console.log(label, error.name, error.code, error.message, error instanceof DOMException);
  }
};
const MEGABYTE = 1024 * 1024;
const text = (megabytes) => 'x'.repeat(megabytes * MEGABYTE);
outcome('all of it', () => sessionStorage.setItem('a', text(5).slice(1)));
outcome('one more', () => sessionStorage.setItem('b', ''));
outcome('too much', () => sessionStorage.setItem('a', text(6)));
outcome('as a property', () => (sessionStorage.b = 'x'));
outcome('as a definition', () => Object.defineProperty(sessionStorage, 'b', { value: text(1) }) === sessionStorage);
outcome('kept', () => [sessionStorage.length, sessionStorage.a.length, 'b' in sessionStorage]);
outcome('smaller', () => sessionStorage.setItem('a', text(4)));
outcome('room', () => sessionStorage.setItem('b', text(1).slice(2)));
outcome('none left', () => sessionStorage.setItem('c', 'xx'));
outcome('removed', () => (sessionStorage.removeItem('a'), delete sessionStorage.b, sessionStorage.setItem('c', text(4))));
outcome('cleared', () => (sessionStorage.clear(), sessionStorage.setItem('c', text(5).slice(1)), Object.keys(sessionStorage).join()));
